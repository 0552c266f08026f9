//! What a text means, as a direction in space.

/// A vector of length 1, each number in one byte: a 127th of the greatest of them, rounded.
///
/// What two vectors have in common is counted in whole numbers, so it is the same to the last bit wherever it is counted.
///
/// ```
/// use orgmem_recall::Vector;
///
/// let east = Vector::of(&[2.0, 0.0]).expect("it points somewhere");
/// let north_east = Vector::of(&[1.0, 1.0]).expect("it points somewhere");
/// assert!((east.cosine(&north_east) - 0.5f64.sqrt()).abs() < 0.01);
/// assert_eq!(Vector::decode(&east.encode()), Some(east));
/// assert_eq!(Vector::of(&[0.0, 0.0]), None);
/// assert_eq!(Vector::of(&[1.0, f32::NAN]), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// What one of a value stands for.
    scale: f32,
    values: Box<[i8]>,
}

/// What a query means, by one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// The number of the model; vectors of two models have nothing in common.
    pub model: i32,
    /// The vector.
    pub vector: Vector,
}

/// What a memory means, by one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Embeddings {
    /// The number of the model.
    pub model: i32,
    /// One for each of its [parts](crate::parts) that the model can make something of; at least one, of one space, and 255 at
    /// most.
    pub vectors: Vec<Vector>,
}

/// What a query means, by each of the models that memories are embedded by.
pub type Meaning = Vec<Embedding>;

impl Vector {
    /// The vector that points where `numbers` do; none when they point nowhere, or one is no number.
    pub fn of(numbers: &[f32]) -> Option<Self> {
        let length = numbers.iter().map(|&number| f64::from(number) * f64::from(number)).sum::<f64>().sqrt();
        let greatest = numbers.iter().fold(0.0f32, |greatest, number| greatest.max(number.abs()));
        if !length.is_finite() || length == 0.0 {
            return None;
        }
        let values = numbers.iter().map(|number| (number / greatest * 127.0).round() as i8).collect();
        Some(Self { scale: (f64::from(greatest) / 127.0 / length) as f32, values })
    }

    /// How many numbers it has.
    pub fn dimensions(&self) -> usize {
        self.values.len()
    }

    /// The cosine of the angle between the two; 0 when they are of different spaces.
    pub fn cosine(&self, other: &Self) -> f64 {
        if self.values.len() != other.values.len() {
            return 0.0;
        }
        cosine((self.scale, &self.values), (other.scale, &other.values))
    }

    /// The form of several in the database: how many there are, in one byte, then each, all of one length.
    ///
    /// ```
    /// use orgmem_recall::Vector;
    ///
    /// let two = [[1.0, 0.0], [0.5, 0.5]].map(|numbers| Vector::of(&numbers).expect("it points somewhere"));
    /// assert_eq!(Vector::decode_all(&Vector::encode_all(&two)).as_deref(), Some(&two[..]));
    /// assert_eq!(Vector::decode_all(&[]), None);
    /// assert_eq!(Vector::decode_all(&[2, 0, 0, 128, 63, 1]), None);
    /// ```
    pub fn encode_all(vectors: &[Self]) -> Vec<u8> {
        let vectors = &vectors[..vectors.len().min(u8::MAX.into())];
        [vectors.len() as u8].into_iter().chain(vectors.iter().flat_map(Self::encode)).collect()
    }

    /// The vectors that were encoded to `bytes`; none when none were.
    pub fn decode_all(bytes: &[u8]) -> Option<Vec<Self>> {
        let (&count, bytes) = bytes.split_first()?;
        let length = bytes.len().checked_div(count.into())?;
        let is_whole = length > 0 && bytes.len() == length * usize::from(count);
        is_whole.then(|| bytes.chunks_exact(length).map(Self::decode).collect())?
    }

    /// Its form in the database: the scale in four bytes, little end first, then each value.
    pub fn encode(&self) -> Vec<u8> {
        let values = self.values.iter().map(|value| value.to_le_bytes()[0]);
        self.scale.to_le_bytes().into_iter().chain(values).collect()
    }

    /// The vector that was encoded to `bytes`; none when none was.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (scale, values) = bytes.split_first_chunk()?;
        let scale = f32::from_le_bytes(*scale);
        let is_one = scale.is_finite() && scale > 0.0 && !values.is_empty();
        is_one.then(|| Self { scale, values: values.iter().map(|&value| i8::from_le_bytes([value])).collect() })
    }

    pub(crate) fn scale(&self) -> f32 {
        self.scale
    }

    pub(crate) fn values(&self) -> &[i8] {
        &self.values
    }
}

/// What a glance tells of a vector: of each number whether it is above 0, one bit each.
///
/// The more bits of two are equal, the nearer their vectors are as a rule, and that is counted in a tenth of the time and
/// from an eighth of the bytes.
pub(crate) struct Sketch(pub(crate) Box<[u64]>);

impl Sketch {
    pub(crate) fn of(vector: &Vector) -> Self {
        Self(Self::words(&vector.values).collect())
    }

    /// Its bits, 64 in each word.
    pub(crate) fn words(values: &[i8]) -> impl Iterator<Item = u64> {
        let word = |values: &[i8]| values.iter().rev().fold(0, |word, &value| word << 1 | u64::from(value > 0));
        values.chunks(64).map(word)
    }
}

/// How many bits of two sketches of one space differ; no more than 65,535 are told apart.
pub(crate) fn distance(a: &[u64], b: &[u64]) -> u16 {
    let differing: u32 = a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum();
    differing.min(u16::MAX.into()) as u16
}

/// What two vectors of one space have in common, each as its scale and values.
// by itself, and in steps of so many numbers, it is compiled to the widest instructions that every machine has
#[inline(never)]
pub(crate) fn cosine(a: (f32, &[i8]), b: (f32, &[i8])) -> f64 {
    let products = |a: &[i8], b: &[i8]| a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>();
    let ((steps_a, rest_a), (steps_b, rest_b)) = (a.1.as_chunks::<32>(), b.1.as_chunks::<32>());
    let steps = steps_a.iter().zip(steps_b).map(|(a, b)| products(a, b)).sum::<i32>();
    f64::from(a.0) * f64::from(b.0) * f64::from(steps + products(rest_a, rest_b))
}
