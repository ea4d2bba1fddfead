/** Turns texts into vectors. */
import type { Payer } from '#kernel/meter.ts'

export interface Engine {
  /** Names engine and model. Vectors carry it, so that those of two models are never compared. */
  readonly id: string
  /** The most texts of one call. */
  readonly batchSize: number
  /** One vector per text, each of length 1. A question goes before texts that wait to be indexed. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>
}

export interface EmbedOptions {
  /** Whose usage it is, where the engine is on another server. */
  payer: Payer
  signal: AbortSignal
  isQuestion?: boolean
}

/** Vectors of length 1, so that their products are cosines. */
export const normalised = (values: ArrayLike<number>): Float32Array => {
  const vector = Float32Array.from(values)
  let sum = 0
  for (const value of vector) sum += value * value
  const length = Math.sqrt(sum)
  if (!(length > 0) || !Number.isFinite(length)) throw new Error('The engine returned a vector without direction.')
  return vector.map((value) => value / length)
}
