/** A recording as a WAV file, which every engine reads: 16 kHz, mono, 16 bits. Pure. */

export const wavRate = 16_000
const headerBytes = 44

export function encodeWav(samples: Float32Array): Blob {
  const view = new DataView(new ArrayBuffer(headerBytes + samples.length * 2))
  const word = (at: number, text: string) => {
    for (let index = 0; index < text.length; index += 1) view.setUint8(at + index, text.charCodeAt(index))
  }
  word(0, 'RIFF')
  view.setUint32(4, 36 + samples.length * 2, true)
  word(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, wavRate, true)
  view.setUint32(28, wavRate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  word(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  for (const [index, sample] of samples.entries())
    view.setInt16(headerBytes + index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true)
  return new Blob([view], { type: 'audio/wav' })
}
