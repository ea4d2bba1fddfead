/** Speech engines. */
import { localSttModels, sttEngines, ttsEngines } from '@chancery/contract/engines.ts'
import { bool, choice, list, matching, text, url, type ValuesOf, web } from '#kernel/config/variable.ts'
import type { ModelsConfig } from '#modules/models/index.ts'

export const audioVariables = {
  Speech: {
    HTTP_CLIENT_SESSION_SSL: bool({
      fallback: true,
      sentence: 'Whether the certificates of speech engines are checked.',
    }),
    AUDIO_STT_ENGINE: choice(sttEngines, {
      fallback: '',
      fallbackText: 'empty: the local engine',
      sentence: 'Which engine turns speech into text.',
    }),
    AUDIO_STT_MODEL: text({
      fallback: undefined,
      fallbackText: "the engine's usual one",
      sentence: 'The model of the engine that turns speech into text.',
    }),
    AUDIO_STT_COMPAT_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: web,
      sentence: 'Where the `compat` engine for speech to text is, with its version: https://host/v1.',
    }),
    AUDIO_STT_COMPAT_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    AUDIO_STT_MISTRAL_API_BASE_URL: url({
      fallback: 'https://api.mistral.ai/v1',
      protocols: web,
      sentence: 'Where the `mistral` engine for speech to text is.',
    }),
    AUDIO_STT_MISTRAL_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    DEEPGRAM_API_BASE_URL: url({
      fallback: 'https://api.deepgram.com/v1',
      protocols: web,
      sentence: 'Where the `deepgram` engine is.',
    }),
    DEEPGRAM_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    AUDIO_STT_AZURE_REGION: text({
      fallback: undefined,
      sentence: 'The region of the `azure` speech-to-text resource.',
    }),
    AUDIO_STT_AZURE_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'made from the region',
      protocols: web,
      sentence: 'Its address, where it is not the usual one of the region.',
    }),
    AUDIO_STT_AZURE_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    AUDIO_STT_AZURE_LOCALES: list({
      fallback: ['en-US'],
      separator: ',',
      sentence: 'The locales it listens for, where a request names no language.',
    }),
    LOCALSTT_MODEL: choice(localSttModels, {
      fallback: 'base',
      sentence: 'The size of the local speech-to-text model.',
    }),
    LOCALSTT_COMPUTE_TYPE: choice(['int8', 'float16', 'int8_float16', 'float32'], {
      fallback: 'int8',
      sentence: 'The number format in which it computes.',
    }),
    LOCALSTT_LANGUAGE: matching(/^([a-z]{2})?$/, {
      fallback: undefined,
      fallbackText: 'empty: detected',
      problem: 'must be an ISO 639-1 code such as de, or empty',
      sentence: 'The language that is spoken.',
    }),
    LOCALSTT_VAD_FILTER: bool({ fallback: false, sentence: 'Whether the local engine leaves out silence.' }),
    AUDIO_TTS_ENGINE: choice(ttsEngines, {
      fallback: '',
      fallbackText: 'empty: only the browser speaks',
      sentence: 'Which engine turns text into speech.',
    }),
    AUDIO_TTS_MODEL: text({ fallback: 'tts-1', sentence: 'The model of the engine that turns text into speech.' }),
    AUDIO_TTS_VOICE: text({ fallback: 'alloy', sentence: 'The voice that it speaks with.' }),
    AUDIO_TTS_API_KEY: text({
      fallback: undefined,
      secret: true,
      sentence: 'The key of the `elevenlabs` and `azure` text-to-speech engines.',
    }),
    AUDIO_TTS_COMPAT_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: web,
      sentence: 'Where the `compat` engine for text to speech is, with its version: https://host/v1.',
    }),
    AUDIO_TTS_COMPAT_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    AUDIO_TTS_MISTRAL_API_BASE_URL: url({
      fallback: 'https://api.mistral.ai/v1',
      protocols: web,
      sentence: 'Where the `mistral` engine for text to speech is.',
    }),
    AUDIO_TTS_MISTRAL_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    AUDIO_TTS_ELEVENLABS_BASE_URL: url({
      fallback: 'https://api.elevenlabs.io/v1',
      protocols: web,
      sentence: 'Where the `elevenlabs` engine is.',
    }),
    AUDIO_TTS_AZURE_REGION: text({
      fallback: undefined,
      sentence: 'The region of the `azure` text-to-speech resource.',
    }),
    AUDIO_TTS_AZURE_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'made from the region',
      protocols: web,
      sentence: 'Its address, where it is not the usual one of the region.',
    }),
    AUDIO_TTS_AZURE_OUTPUT_FORMAT: text({
      fallback: 'audio-24khz-160kbitrate-mono-mp3',
      sentence: 'The format in which it answers.',
    }),
  },
} as const
export type AudioConfig = ValuesOf<typeof audioVariables> & Pick<ModelsConfig, 'HTTP_CLIENT_TIMEOUT'>
