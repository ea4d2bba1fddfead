/** A WAV file as samples for the local engine: one channel, 16 kHz, between -1 and 1. */
import { AppError } from '#kernel/errors.ts'

const wantedRate = 16_000
const unreadable = (detail: string) => new AppError('audio_not_readable', { detail })

interface Format {
  encoding: number
  channels: number
  rate: number
  bits: number
}

export const readWav = (file: Buffer): Float32Array => {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    throw unreadable('The local speech engine reads WAV files only.')
  const chunks = chunksOf(file)
  const head = chunks.get('fmt ')
  const data = chunks.get('data')
  if (!head || head.length < 16 || !data) throw unreadable('This WAV file is damaged.')
  const format = formatOf(head)
  return resample(mixDown(data, format), format.rate)
}

/** By name; the first of each. A length beyond the end of the file, as live recorders write it, means up to the end. */
const chunksOf = (file: Buffer): Map<string, Buffer> => {
  const found = new Map<string, Buffer>()
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    if (!found.has(name)) found.set(name, file.subarray(at + 8, Math.min(at + 8 + length, file.length)))
    at += 8 + length + (length % 2)
  }
  return found
}

const pcm = 1
const float = 3
const extensible = 0xfffe

/** Reads a format chunk. */
export const formatOf = (head: Buffer): Format => {
  const named = head.readUInt16LE(0)
  const encoding = named === extensible && head.length >= 26 ? head.readUInt16LE(24) : named
  const format = { encoding, channels: head.readUInt16LE(2), rate: head.readUInt32LE(4), bits: head.readUInt16LE(14) }
  const isKnown =
    (encoding === pcm && [8, 16, 24, 32].includes(format.bits)) || (encoding === float && format.bits === 32)
  if (!isKnown || format.channels < 1 || format.channels > 8 || format.rate < 4000 || format.rate > 192_000)
    throw unreadable('This kind of WAV file is not supported. Use PCM with 8 to 32 bits.')
  return format
}

export const sampleAt = (data: Buffer, at: number, { encoding, bits }: Format): number => {
  if (encoding === float) return data.readFloatLE(at)
  if (bits === 8) return (data.readUInt8(at) - 128) / 128
  return data.readIntLE(at, bits / 8) / 2 ** (bits - 1)
}

const mixDown = (data: Buffer, format: Format): Float32Array => {
  const sampleBytes = format.bits / 8
  const frameBytes = sampleBytes * format.channels
  const mixed = new Float32Array(Math.floor(data.length / frameBytes))
  for (let frame = 0; frame < mixed.length; frame += 1) {
    let sum = 0
    for (let channel = 0; channel < format.channels; channel += 1)
      sum += sampleAt(data, frame * frameBytes + channel * sampleBytes, format)
    mixed[frame] = sum / format.channels
  }
  return mixed
}

/** Between two samples on a straight line, which is enough for speech. */
const resample = (samples: Float32Array, rate: number): Float32Array => {
  if (rate === wantedRate) return samples
  const step = rate / wantedRate
  return Float32Array.from({ length: Math.floor(samples.length / step) }, (_, index) => {
    const at = index * step
    const before = samples[Math.floor(at)] ?? 0
    const after = samples[Math.floor(at) + 1] ?? before
    return before + (after - before) * (at - Math.floor(at))
  })
}
