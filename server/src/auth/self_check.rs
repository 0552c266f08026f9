//! Checks the cryptographic library with published examples, before the first token.

use jsonwebtoken::DecodingKey;
use jsonwebtoken::crypto::aws_lc;

use super::KeyError;
use super::key::{Key, Pinned};

/// An example with a valid signature.
struct KnownSignature {
    algorithm: Pinned,
    /// The members of the JWK.
    key: &'static [&'static str],
    message: &'static str,
    signature: &'static str,
}

/// The examples of RFC 7515, appendices A.1 to A.3, and of RFC 8037, appendix A.4.
const EXAMPLES: [KnownSignature; 4] = [
    KnownSignature {
        algorithm: Pinned::Hs256,
        key: &["AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"],
        message: CLAIMS_HS256,
        signature: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    },
    KnownSignature {
        algorithm: Pinned::Rs256,
        key: &[
            "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SF\
             d2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo\
             7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkM\
             Ls91kzk2PAcDTW9gb54h4FRWyuXpoQ",
            "AQAB",
        ],
        message: CLAIMS_RS256,
        signature: "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9u\
                    JdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_e\
                    SN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5\
                    AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
    },
    KnownSignature {
        algorithm: Pinned::Es256,
        key: &["f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"],
        message: CLAIMS_ES256,
        signature: "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
    },
    KnownSignature {
        algorithm: Pinned::EdDsa,
        key: &["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
        message: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
        signature: "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
    },
];

const CLAIMS_HS256: &str = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQog\
                            Imh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
const CLAIMS_RS256: &str = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxl\
                            LmNvbS9pc19yb290Ijp0cnVlfQ";
const CLAIMS_ES256: &str = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxl\
                            LmNvbS9pc19yb290Ijp0cnVlfQ";

/// Selects the library's backend, and verifies an example of every algorithm, both unchanged and changed.
///
/// # Errors
/// [`KeyError::SelfCheck`].
pub(super) fn run() -> Result<(), KeyError> {
    // jsonwebtoken panics at the first token if the number of compiled-in backends is not one; an error here only means
    // that the backend was selected before
    let _ = aws_lc::DEFAULT_PROVIDER.install_default();
    for example in &EXAMPLES {
        let fails = || KeyError::SelfCheck { algorithm: example.algorithm.name() };
        let key = example.key().ok_or_else(fails)?;
        let accepts_valid = key.verifies(example.message, example.signature);
        let accepts_changed = key.verifies(&example.message.replace('J', "K"), example.signature);
        if !accepts_valid || accepts_changed {
            return Err(fails());
        }
    }
    Ok(())
}

impl KnownSignature {
    fn key(&self) -> Option<Key> {
        let decoding = match (self.algorithm, self.key) {
            (Pinned::Hs256, [secret]) => {
                return Some(Key::from_secret(String::new(), &super::ring::decoded(secret).ok()?));
            }
            (Pinned::Rs256, [n, e]) => DecodingKey::from_rsa_components(n, e),
            (Pinned::Es256, [x, y]) => DecodingKey::from_ec_components(x, y),
            (Pinned::EdDsa, [x]) => DecodingKey::from_ed_components(x),
            _ => return None,
        };
        Key::public(None, self.algorithm, decoding.ok()?).ok()
    }
}
