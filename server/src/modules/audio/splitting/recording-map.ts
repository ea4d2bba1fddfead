/** A recording as a splitter sees it: where it may be cut, and how loud it is there. */
export interface RecordingMap {
  kind: 'wav' | 'mp3' | 'ogg' | 'webm' | 'flac' | 'mp4'
  /** Put in front of the bytes of each piece; of a WAV file its format chunk. */
  head: Buffer
  /** For formats in which each piece needs its own header. */
  headOf?(piece: { start: number; end: number }): Buffer
  /** In their order, without gaps. The recording may be cut before each. */
  units: Unit[]
  /** The end of the last unit. */
  end: number
}

export interface Unit {
  /** Its first byte. */
  at: number
  seconds: number
  /** Comparable within one recording only: compressed silence takes few bits. */
  loudness: number
}
