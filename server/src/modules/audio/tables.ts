/** The tables this module owns. */
export interface AudioPreferencesTable {
  userId: string
  voice: string | null
  ttsModel: string | null
  speed: number | null
  language: string | null
  updatedAt: Date
}

export interface SpeechCacheTable {
  /** Covers the organization, the engine's settings and the text. */
  hash: string
  blobKey: string
  contentType: string
  bytes: number
  sha256: string
  usedAt: Date
}

export interface TranscriptPiecesTable {
  fileId: string
  /** The bytes of the file that it holds. */
  startsAt: number
  endsAt: number
  engine: string
  text: string
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    audioPreferences: AudioPreferencesTable
    speechCache: SpeechCacheTable
    transcriptPieces: TranscriptPiecesTable
  }
}
