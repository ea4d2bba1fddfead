/** Samples of the local engine as a WAV file: one channel, 16 bits. */
export const writeWav = (samples: Float32Array, rate: number): Buffer => {
  const file = Buffer.alloc(44 + samples.length * 2)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(36 + samples.length * 2, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(samples.length * 2, 40)
  for (const [index, sample] of samples.entries())
    file.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + index * 2)
  return file
}
