/** Pure. Cuts a recording into pieces that an engine takes, each at the quietest moment near its end. */
import type { RecordingMap, Unit } from './recording-map.ts'

export interface PieceLimits {
  maxBytes: number
  maxSeconds: number
  /** Each piece is a paid call, and the times in a file are only what its sender says. */
  maxPieces: number
}

export interface Piece {
  start: number
  end: number
}

/** A pause is looked for within this time before the limit. */
const searchSeconds = 60

/** Undefined where there would be too many, or one too large: between two units a file may hold anything. */
export const choosePieces = ({ units, end, head }: RecordingMap, limits: PieceLimits): Piece[] | undefined => {
  const maxBytes = limits.maxBytes - head.length
  const pieces: Piece[] = []
  let first = 0
  while (first < units.length) {
    if (pieces.length === limits.maxPieces) return undefined
    const start = units[first]?.at ?? end
    const last = lastThatFits(units, first, { ...limits, end, maxBytes })
    const cut = last >= units.length - 1 ? units.length : quietest(units, first, last)
    const piece = { start, end: units[cut]?.at ?? end }
    if (piece.end - piece.start > maxBytes) return undefined
    pieces.push(piece)
    first = cut
  }
  return pieces
}

interface Room extends PieceLimits {
  end: number
}

/** The index of the last unit that the piece has room for; at least the first. */
const lastThatFits = (units: readonly Unit[], first: number, { end, maxBytes, maxSeconds }: Room): number => {
  const start = units[first]?.at ?? 0
  let seconds = 0
  let last = first
  for (let index = first; index < units.length; index += 1) {
    seconds += units[index]?.seconds ?? 0
    if ((units[index + 1]?.at ?? end) - start > maxBytes || seconds > maxSeconds) break
    last = index
  }
  return last
}

/** The latest of the quietest moments, each heard with what is around it: a pause, not a click between two words. */
const quietest = (units: readonly Unit[], first: number, last: number): number => {
  let best = { index: last + 1, loudness: Number.POSITIVE_INFINITY }
  let seconds = 0
  for (let index = last; index > first && seconds < searchSeconds; index -= 1) {
    seconds += units[index]?.seconds ?? 0
    const loudness = loudnessAround(units, index)
    if (loudness < best.loudness) best = { index, loudness }
  }
  return best.index
}

/** On each side of a cut. */
const aroundSeconds = 0.15

const loudnessAround = (units: readonly Unit[], index: number): number =>
  (loudnessFrom(units, index, 1) + loudnessFrom(units, index - 1, -1)) / 2

const loudnessFrom = (units: readonly Unit[], index: number, step: 1 | -1): number => {
  let sum = 0
  let count = 0
  for (let at = index, seconds = 0; seconds < aroundSeconds && units[at]; at += step) {
    sum += units[at]?.loudness ?? 0
    seconds += Math.max(units[at]?.seconds ?? 0, 0.001)
    count += 1
  }
  return sum / Math.max(1, count)
}
