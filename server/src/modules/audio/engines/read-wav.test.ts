import { describe, expect, it } from 'vitest'
import { withoutSilence } from './local.ts'
import { readWav } from './read-wav.ts'
import { writeWav } from './write-wav.ts'

const tone = (length: number) => Float32Array.from({ length }, (_, index) => Math.sin(index / 5) / 2)

describe('a WAV file', () => {
  it('is read back as it was written, within the 16 bits of a sample', () => {
    const samples = tone(1000)
    const read = readWav(writeWav(samples, 16_000))
    expect(read).toHaveLength(1000)
    for (const [index, sample] of read.entries()) expect(sample).toBeCloseTo(samples[index] ?? 0, 3)
  })

  it('of another rate is resampled to 16 kHz', () => {
    expect(readWav(writeWav(tone(44_100), 44_100))).toHaveLength(16_000)
    expect(readWav(writeWav(tone(8000), 8000))).toHaveLength(16_000)
  })

  it('whose length was never written, as live recorders leave it, is read to its end', () => {
    const file = writeWav(tone(100), 16_000)
    file.writeUInt32LE(0xffffffff, 40)
    expect(readWav(file)).toHaveLength(100)
  })

  it.each([
    ['another kind of file', Buffer.from('OggS and more of it')],
    ['nothing but its head', writeWav(tone(10), 16_000).subarray(0, 20)],
    ['an unknown encoding', writeWav(tone(10), 16_000).fill(0x55, 20, 22)],
    ['no channels', writeWav(tone(10), 16_000).fill(0, 22, 24)],
  ])('is refused when it is %s', (_name, file) => {
    expect(() => readWav(file)).toThrow(expect.objectContaining({ code: 'audio_not_readable' }))
  })
})

describe('leaving out silence', () => {
  it('shortens long pauses and keeps every word', () => {
    const spoken = new Float32Array(48_000)
    spoken.set(tone(4800), 0)
    spoken.set(tone(4800), 43_200)
    const short = withoutSilence(spoken)
    expect(short.length).toBeLessThan(16_000)
    expect(short.filter((sample) => sample !== 0).length).toBe(spoken.filter((sample) => sample !== 0).length)
  })
})
