/** Finds where a long recording can be cut, in the limited child: the file is foreign, and may be broken on purpose. */
import type { TaskContext } from '#kernel/child/index.ts'
import { ByteReader } from './byte-reader.ts'
import { choosePieces, type Piece, type PieceLimits } from './choose-pieces.ts'
import { mapFlac } from './map-flac.ts'
import { mapMp3 } from './map-mp3.ts'
import { mapMp4 } from './map-mp4.ts'
import { mapOgg } from './map-ogg.ts'
import { mapWav } from './map-wav.ts'
import { mapWebm } from './map-webm.ts'
import type { RecordingMap } from './recording-map.ts'

export interface SplitResult {
  kind: RecordingMap['kind']
  pieces: (Piece & {
    /** Put in front of its bytes, in base64; of a WAV file its format chunk. */
    head: string
  })[]
}

const mapRecording = async (reader: ByteReader): Promise<RecordingMap | undefined> => {
  const start = await reader.peek(12)
  const name = start.toString('latin1', 0, 4)
  if (name === 'RIFF' && start.toString('latin1', 8, 12) === 'WAVE') return mapWav(reader)
  if (name === 'fLaC') return mapFlac(reader)
  if (start.toString('latin1', 4, 8) === 'ftyp') return mapMp4(reader)
  if (name === 'OggS') return mapOgg(reader)
  if (name === '\x1aE\xdf\xa3') return mapWebm(reader)
  if (name.startsWith('ID3') || (start.length >= 2 && start.readUInt16BE(0) >> 5 === 0x7ff)) return mapMp3(reader)
  return undefined
}

export const tasks = {
  /** Null where the format can't be cut without decoding it, or would become too many pieces. */
  split: async (limits: PieceLimits, { body }: TaskContext): Promise<SplitResult | null> => {
    const map = await mapRecording(new ByteReader(body))
    const pieces = map && choosePieces(map, limits)
    if (!pieces) return null
    const headOf = (piece: Piece) => (map.headOf?.(piece) ?? map.head).toString('base64')
    // A recording that needs no cut is sent as it is.
    return {
      kind: map.kind,
      pieces: pieces.length === 1 ? [] : pieces.map((piece) => ({ ...piece, head: headOf(piece) })),
    }
  },
}
