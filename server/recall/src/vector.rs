//! Embeddings: vectors of texts.

/// A vector of length 1, quantized to one byte per number: a multiple of a 127th of the greatest one.
///
/// Products are computed in integers, so a cosine is the same to the last bit on every machine.
///
/// ```
/// use orgmem_recall::Vector;
///
/// let east = Vector::of(&[2.0, 0.0]).expect("not all numbers are 0");
/// let north_east = Vector::of(&[1.0, 1.0]).expect("not all numbers are 0");
/// assert!((east.cosine(&north_east) - 0.5f64.sqrt()).abs() < 0.01);
/// assert_eq!(Vector::decode(&east.encode()), Some(east));
/// assert_eq!(Vector::of(&[0.0, 0.0]), None);
/// assert_eq!(Vector::of(&[1.0, f32::NAN]), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// The number that a value of 1 represents.
    scale: f32,
    /// Each in two's complement, as in the database.
    values: Box<[u8]>,
}

/// The embedding of a query by one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// The number of the model; vectors of different models are not comparable.
    pub model: i32,
    /// The vector of the query.
    pub vector: Vector,
}

/// The embeddings of a memory by one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Embeddings {
    /// The number of the model.
    pub model: i32,
    /// One vector for each of its [chunks](crate::embedding_chunks) that the model can embed; 1 to 255, of one length.
    pub vectors: Vec<Vector>,
}

/// The embeddings of a query, one for each model that memories are embedded by.
pub type Meaning = Vec<Embedding>;

impl Vector {
    /// The vector with the direction of `numbers`; `None` if all are 0 or one is not finite.
    pub fn of(numbers: &[f32]) -> Option<Self> {
        let length = numbers.iter().map(|&number| f64::from(number) * f64::from(number)).sum::<f64>().sqrt();
        let greatest = numbers.iter().fold(0.0f32, |greatest, number| greatest.max(number.abs()));
        if !length.is_finite() || length == 0.0 {
            return None;
        }
        let values = numbers.iter().map(|number| (number / greatest * 127.0).round() as i8 as u8).collect();
        Some(Self { scale: (f64::from(greatest) / 127.0 / length) as f32, values })
    }

    /// Its length in numbers.
    pub fn dimensions(&self) -> usize {
        self.values.len()
    }

    /// The cosine of the angle between the two; 0 if their dimensions differ.
    pub fn cosine(&self, other: &Self) -> f64 {
        if self.values.len() != other.values.len() {
            return 0.0;
        }
        cosine((self.scale, &self.values), (other.scale, &other.values))
    }

    /// The database form of several vectors of one length: their number in one byte, then each vector.
    ///
    /// ```
    /// use orgmem_recall::Vector;
    ///
    /// let two = [[1.0, 0.0], [0.5, 0.5]].map(|numbers| Vector::of(&numbers).expect("not all numbers are 0"));
    /// assert_eq!(Vector::decode_all(&Vector::encode_all(&two)).as_deref(), Some(&two[..]));
    /// assert_eq!(Vector::decode_all(&[]), None);
    /// assert_eq!(Vector::decode_all(&[2, 0, 0, 128, 63, 1]), None);
    /// ```
    pub fn encode_all(vectors: &[Self]) -> Vec<u8> {
        let vectors = &vectors[..vectors.len().min(u8::MAX.into())];
        [vectors.len() as u8].into_iter().chain(vectors.iter().flat_map(Self::encode)).collect()
    }

    /// Decodes the output of [`encode_all`](Vector::encode_all); `None` for any other bytes.
    pub fn decode_all(bytes: &[u8]) -> Option<Vec<Self>> {
        let (&count, bytes) = bytes.split_first()?;
        let length = bytes.len().checked_div(count.into())?;
        let is_whole = length > 0 && bytes.len() == length * usize::from(count);
        is_whole.then(|| bytes.chunks_exact(length).map(Self::decode).collect())?
    }

    /// The database form: the scale in four bytes, little-endian, then each value.
    pub fn encode(&self) -> Vec<u8> {
        self.scale.to_le_bytes().into_iter().chain(self.values.iter().copied()).collect()
    }

    /// Decodes the output of [`encode`](Vector::encode); `None` for any other bytes.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (scale, values) = bytes.split_first_chunk()?;
        let scale = f32::from_le_bytes(*scale);
        let is_valid = scale.is_finite() && scale > 0.0 && !values.is_empty();
        is_valid.then(|| Self { scale, values: values.into() })
    }

    pub(crate) fn scale(&self) -> f32 {
        self.scale
    }

    pub(crate) fn values(&self) -> &[u8] {
        &self.values
    }
}

/// The signs of a vector, one bit per number, 64 per word: set if the number is above 0.
///
/// The Hamming distance of two sketches approximates the angle between their vectors, in a tenth of the time and from an
/// eighth of the bytes.
pub(crate) fn sketch(values: &[u8]) -> impl Iterator<Item = u64> {
    let word = |values: &[u8]| values.iter().rev().fold(0, |word, &value| word << 1 | u64::from(value as i8 > 0));
    values.chunks(64).map(word)
}

/// The Hamming distance of two sketches of one space, capped at 65,535.
pub(crate) fn distance(a: impl Iterator<Item = u64>, b: &[u64]) -> u16 {
    let differing: u32 = a.zip(b).map(|(a, b)| (a ^ b).count_ones()).sum();
    differing.min(u16::MAX.into()) as u16
}

/// The cosine of two vectors of one space, each as its scale and values.
// a function of its own with steps of 32 numbers, so that it is compiled to the widest portable instructions
#[inline(never)]
pub(crate) fn cosine(a: (f32, &[u8]), b: (f32, &[u8])) -> f64 {
    let product = |(&a, &b): (&u8, &u8)| i32::from(a as i8) * i32::from(b as i8);
    let products = |a: &[u8], b: &[u8]| a.iter().zip(b).map(product).sum::<i32>();
    let ((steps_a, rest_a), (steps_b, rest_b)) = (a.1.as_chunks::<32>(), b.1.as_chunks::<32>());
    let steps = steps_a.iter().zip(steps_b).map(|(a, b)| products(a, b)).sum::<i32>();
    f64::from(a.0) * f64::from(b.0) * f64::from(steps + products(rest_a, rest_b))
}
