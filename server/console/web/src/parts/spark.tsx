interface SparkProps {
  /** Stacked values by day, the oldest first. */
  days: ReadonlyArray<{ day: string; values: readonly number[] }>;
  /** The figures in words. */
  label: string;
}

const BAR = 4;
const HEIGHT = 28;

/** Bars by day. The second part of a stack is hatched by a lighter colour. */
export function Spark({ days, label }: SparkProps) {
  const sums = days.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const most = Math.max(1, ...sums);
  return (
    <svg class="spark" role="img" aria-label={label} width={days.length * BAR} height={HEIGHT} viewBox={`0 0 ${days.length * BAR} ${HEIGHT}`}>
      <title>{label}</title>
      <path d={`M0 ${HEIGHT - 0.5}H${days.length * BAR}`} />
      {days.map(({ day, values }, index) => {
        let top = HEIGHT;
        return values.map((value, part) => {
          const height = (value / most) * (HEIGHT - 2);
          top -= height;
          return height === 0 ? null : (
            <rect key={`${day} ${part}`} class={part === 0 ? "" : "second"} x={index * BAR} y={top} width={BAR - 1} height={height} />
          );
        });
      })}
    </svg>
  );
}
