/** WAV: samples one after the other, so it may be cut anywhere; each piece gets a header of its own. */
import { formatOf, sampleAt } from '../engines/read-wav.ts'
import type { ByteReader } from './byte-reader.ts'
import type { RecordingMap, Unit } from './recording-map.ts'

const windowsPerSecond = 10
/** Enough to hear how loud a window is. */
const samplesPerWindow = 200
const maxHeadBytes = 1024

export const mapWav = async (reader: ByteReader): Promise<RecordingMap | undefined> => {
  await reader.skip(12)
  let head: Buffer | undefined
  for (;;) {
    const chunk = await reader.read(8)
    if (chunk.length < 8) return undefined
    const length = chunk.readUInt32LE(4)
    const name = chunk.toString('latin1', 0, 4)
    if (name === 'data') return head && mapSamples(reader, head, length)
    if (name === 'fmt ' && length <= maxHeadBytes) head = Buffer.from(await reader.read(length))
    else await reader.skip(length)
    await reader.skip(length % 2)
  }
}

const mapSamples = async (reader: ByteReader, head: Buffer, length: number): Promise<RecordingMap> => {
  const format = formatOf(head)
  const frameBytes = (format.bits / 8) * format.channels
  const windowBytes = Math.max(1, Math.floor(format.rate / windowsPerSecond)) * frameBytes
  const units: Unit[] = []
  // A length beyond the end of the file, as live recorders write it, means up to the end.
  for (let left = length; left >= frameBytes; ) {
    const at = reader.position
    const window = await reader.read(Math.min(windowBytes, left))
    if (window.length < frameBytes) break
    left -= window.length
    units.push({
      at,
      seconds: window.length / frameBytes / format.rate,
      loudness: loudnessOf(window, frameBytes, format),
    })
  }
  return { kind: 'wav', head, units, end: reader.position }
}

/** Measures the first channel only. */
const loudnessOf = (window: Buffer, frameBytes: number, format: ReturnType<typeof formatOf>): number => {
  const frames = Math.floor(window.length / frameBytes)
  const step = Math.max(1, Math.floor(frames / samplesPerWindow))
  let sum = 0
  let count = 0
  for (let frame = 0; frame < frames; frame += step) {
    sum += Math.abs(sampleAt(window, frame * frameBytes, format))
    count += 1
  }
  return sum / Math.max(1, count)
}
