// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.

/** `GET /version`. */
export type Version = {
  /** Always `orgmem`. */
  name: string;
  version: string;
};
