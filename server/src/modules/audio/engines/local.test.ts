/** The local engine with a package in the shape of the real one, which is too large to install for tests. */
import { describe, expect, it } from 'vitest'
import type { SttSettings } from '../settings.ts'
import { localStt, localTts, type Transformers } from './local.ts'
import { readWav } from './read-wav.ts'
import { writeWav } from './write-wav.ts'

const settings = {
  LOCALSTT_MODEL: () => 'large',
  LOCALSTT_LANGUAGE: () => 'de',
  LOCALSTT_VAD_FILTER: () => false,
} as unknown as SttSettings

const { signal } = new AbortController()
const listening = { language: undefined, model: undefined, prompt: undefined, signal }
const speaking = {
  text: 'Hi',
  voice: 'v',
  model: 'voice-model',
  speed: undefined,
  format: undefined,
  instructions: undefined,
}
const recording = { bytes: writeWav(new Float32Array(160), 16_000), name: 'a.wav', type: 'audio/wav' }

const packageThat = (answer: () => object) => {
  const loads: unknown[][] = []
  const uses: unknown[][] = []
  const transformers: Transformers = {
    pipeline: async (...load) => {
      loads.push(load)
      return async (...use) => {
        uses.push(use)
        return answer()
      }
    },
  }
  return { loads, uses, importPackage: async () => transformers }
}

describe('the local engine', () => {
  it('loads its model once, in the set format, and gives it samples and the language', async () => {
    const { loads, uses, importPackage } = packageThat(() => ({ text: ' Guten Tag ' }))
    const listen = localStt(settings, { importPackage, computeType: 'int8' })
    const texts = await Promise.all([listen(recording, listening), listen(recording, { ...listening, language: 'en' })])
    expect(texts).toEqual([{ text: 'Guten Tag' }, { text: 'Guten Tag' }])
    expect(loads).toEqual([['automatic-speech-recognition', 'onnx-community/whisper-large-v3', { dtype: 'q8' }]])
    expect(uses.map(([samples]) => (samples as Float32Array).length)).toEqual([160, 160])
    expect(uses.map(([, options]) => options)).toMatchObject([{ language: 'de' }, { language: 'en' }])
  })

  it('tries again after a failed load', async () => {
    let isBroken = true
    const { importPackage } = packageThat(() => ({ text: 'x' }))
    const flaky = async () => {
      if (isBroken) throw new Error('no such package')
      return importPackage()
    }
    const listen = localStt(settings, { importPackage: flaky, computeType: 'float32' })
    await expect(listen(recording, listening)).rejects.toMatchObject({ code: 'speech_engine_not_ready' })
    isBroken = false
    expect(await listen(recording, listening)).toEqual({ text: 'x' })
  })

  it('speaks as a WAV file', async () => {
    const { importPackage } = packageThat(() => ({ audio: new Float32Array([0.5, -0.5]), sampling_rate: 16_000 }))
    const speech = await localTts({ importPackage, computeType: 'float16' })({ ...speaking, signal })
    expect(speech.type).toBe('audio/wav')
    expect([...readWav(speech.bytes)].map((sample) => Math.round(sample * 10) / 10)).toEqual([0.5, -0.5])
  })
})
