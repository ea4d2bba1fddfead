/** The settings under `audio.`: the contract's variables, and what a platform admin may save over them. */
import { SttConfig, TtsConfig } from '@chancery/contract/files/audio.ts'
import { z } from 'zod'
import type { Settings } from '#modules/settings/index.ts'
import type { AudioConfig } from './config.ts'

const Text = z.string().trim().min(1).max(500)
const Address = z.url({ protocol: /^https?$/ }).max(2000)

type Register = Settings['register']

export type SttSettings = ReturnType<typeof registerStt>
export type TtsSettings = ReturnType<typeof registerTts>
export interface AudioSettings {
  stt: SttSettings
  tts: TtsSettings
}

export const registerAudioSettings = (
  { register }: Pick<Settings, 'register'>,
  config: AudioConfig,
): AudioSettings => ({
  stt: registerStt(register, config),
  tts: registerTts(register, config),
})

/** `audio.stt.engine` for the field `ENGINE` of the configuration. */
export const settingKey = (part: 'stt' | 'tts', field: string): string => `audio.${part}.${field.toLowerCase()}`

/** Keys are never shown. */
export const isKey = (field: string): boolean => field.endsWith('API_KEY')

const fieldsOf = (register: Register, part: 'stt' | 'tts') => {
  const optional =
    (type: 'text' | 'secret', schema: z.ZodType<string>) =>
    (field: string, environment: string | undefined, sentence: string) =>
      register<string | undefined>({
        key: settingKey(part, field),
        type,
        schema,
        sentence,
        environment,
        fallback: undefined,
      })
  return {
    text: optional('text', Text),
    address: optional('text', Address),
    key: optional('secret', Text),
    value: <Value>(field: string, facts: { schema: z.ZodType<Value>; fallback: Value; sentence: string }) =>
      register<Value>({ key: settingKey(part, field), type: typeOf(facts.fallback), environment: undefined, ...facts }),
  }
}

const typeOf = (value: unknown) => {
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'json'
}

const registerStt = (register: Register, config: AudioConfig) => {
  const { address, key, text, value } = fieldsOf(register, 'stt')
  const { ENGINE, AZURE_LOCALES, LOCALSTT_MODEL, LOCALSTT_VAD_FILTER } = SttConfig.shape
  return {
    ENGINE: value('ENGINE', {
      schema: ENGINE,
      fallback: config.AUDIO_STT_ENGINE,
      sentence: 'Which engine turns speech into text. Empty is the local engine.',
    }),
    MODEL: text('MODEL', config.AUDIO_STT_MODEL, 'Its model.'),
    COMPAT_API_BASE_URL: address(
      'COMPAT_API_BASE_URL',
      config.AUDIO_STT_COMPAT_API_BASE_URL,
      'Where the compatible engine is.',
    ),
    COMPAT_API_KEY: key('COMPAT_API_KEY', config.AUDIO_STT_COMPAT_API_KEY, 'Its key.'),
    MISTRAL_API_BASE_URL: address('MISTRAL_API_BASE_URL', config.AUDIO_STT_MISTRAL_API_BASE_URL, 'Where Mistral is.'),
    MISTRAL_API_KEY: key('MISTRAL_API_KEY', config.AUDIO_STT_MISTRAL_API_KEY, 'Its key.'),
    DEEPGRAM_API_BASE_URL: address('DEEPGRAM_API_BASE_URL', config.DEEPGRAM_API_BASE_URL, 'Where Deepgram is.'),
    DEEPGRAM_API_KEY: key('DEEPGRAM_API_KEY', config.DEEPGRAM_API_KEY, 'Its key.'),
    AZURE_REGION: text('AZURE_REGION', config.AUDIO_STT_AZURE_REGION, 'The region of the Azure resource.'),
    AZURE_BASE_URL: address('AZURE_BASE_URL', config.AUDIO_STT_AZURE_BASE_URL, 'Its address, where it is unusual.'),
    AZURE_API_KEY: key('AZURE_API_KEY', config.AUDIO_STT_AZURE_API_KEY, 'Its key.'),
    AZURE_LOCALES: value<string[]>('AZURE_LOCALES', {
      schema: AZURE_LOCALES,
      fallback: [...config.AUDIO_STT_AZURE_LOCALES],
      sentence: 'The locales Azure listens for, where a request names no language.',
    }),
    LOCALSTT_MODEL: value('LOCALSTT_MODEL', {
      schema: LOCALSTT_MODEL,
      fallback: config.LOCALSTT_MODEL,
      sentence: 'The size of the local model.',
    }),
    LOCALSTT_LANGUAGE: text('LOCALSTT_LANGUAGE', config.LOCALSTT_LANGUAGE, 'The language that is spoken.'),
    LOCALSTT_VAD_FILTER: value('LOCALSTT_VAD_FILTER', {
      schema: LOCALSTT_VAD_FILTER,
      fallback: config.LOCALSTT_VAD_FILTER,
      sentence: 'Whether the local engine leaves out silence.',
    }),
  }
}

const registerTts = (register: Register, config: AudioConfig) => {
  const { address, key, text, value } = fieldsOf(register, 'tts')
  const { ENGINE, MODEL, VOICE } = TtsConfig.shape
  return {
    ENGINE: value('ENGINE', {
      schema: ENGINE,
      fallback: config.AUDIO_TTS_ENGINE,
      sentence: 'Which engine turns text into speech. Empty: only the browser speaks.',
    }),
    MODEL: value('MODEL', { schema: MODEL, fallback: config.AUDIO_TTS_MODEL, sentence: 'Its model.' }),
    VOICE: value('VOICE', { schema: VOICE, fallback: config.AUDIO_TTS_VOICE, sentence: 'The voice it speaks with.' }),
    API_KEY: key('API_KEY', config.AUDIO_TTS_API_KEY, 'The key of ElevenLabs or Azure.'),
    COMPAT_API_BASE_URL: address(
      'COMPAT_API_BASE_URL',
      config.AUDIO_TTS_COMPAT_API_BASE_URL,
      'Where the compatible engine is.',
    ),
    COMPAT_API_KEY: key('COMPAT_API_KEY', config.AUDIO_TTS_COMPAT_API_KEY, 'Its key.'),
    MISTRAL_API_BASE_URL: address('MISTRAL_API_BASE_URL', config.AUDIO_TTS_MISTRAL_API_BASE_URL, 'Where Mistral is.'),
    MISTRAL_API_KEY: key('MISTRAL_API_KEY', config.AUDIO_TTS_MISTRAL_API_KEY, 'Its key.'),
    ELEVENLABS_BASE_URL: address('ELEVENLABS_BASE_URL', config.AUDIO_TTS_ELEVENLABS_BASE_URL, 'Where ElevenLabs is.'),
    AZURE_REGION: text('AZURE_REGION', config.AUDIO_TTS_AZURE_REGION, 'The region of the Azure resource.'),
    AZURE_BASE_URL: address('AZURE_BASE_URL', config.AUDIO_TTS_AZURE_BASE_URL, 'Its address, where it is unusual.'),
    AZURE_OUTPUT_FORMAT: text(
      'AZURE_OUTPUT_FORMAT',
      config.AUDIO_TTS_AZURE_OUTPUT_FORMAT,
      'The format in which Azure answers.',
    ),
  }
}
