/** `/api/v1/audio`: speech to text, text to speech, and their settings. */
import { z } from 'zod'
import { localSttModels, sttEngines, ttsEngines } from '../engines.ts'

/** The text fields beside the recording, as the SDKs of the common API send them. */
export const TranscriptionBody = z.strictObject({
  model: z.string().max(200).optional(),
  /** ISO 639-1, such as `de`. */
  language: z
    .string()
    .regex(/^[a-z]{2}(-[A-Za-z]{2,4})?$/, 'must be a language code such as de')
    .optional(),
  prompt: z.string().max(2000).optional(),
  response_format: z.enum(['json', 'text']).optional(),
  temperature: z.string().max(10).optional(),
})
export const Transcription = z.object({ text: z.string() })

export const SpeechBody = z.strictObject({
  input: z.string().trim().min(1).max(20_000),
  voice: z.string().min(1).max(200).optional(),
  model: z.string().min(1).max(200).optional(),
  speed: z.number().min(0.25).max(4).optional(),
  response_format: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']).optional(),
  instructions: z.string().max(2000).optional(),
})
export type SpeechBody = z.infer<typeof SpeechBody>

/** A person's own choices; they win over the administrator's. Null is the administrator's value. */
export const AudioPreferences = z.object({
  voice: z.string().min(1).max(200).nullable(),
  ttsModel: z.string().min(1).max(200).nullable(),
  speed: z.number().min(0.25).max(4).nullable(),
  language: z
    .string()
    .regex(/^[a-z]{2}$/, 'must be a language code such as de')
    .nullable(),
})
export type AudioPreferences = z.infer<typeof AudioPreferences>
export const AudioPreferencesBody = z.strictObject(AudioPreferences.partial().shape)

/** For the web app: can the server listen and speak, or only the browser? */
export const AudioAbilities = z.object({
  canTranscribe: z.boolean(),
  canSpeak: z.boolean(),
  preferences: AudioPreferences,
})

const text = z.string().max(2000).nullable()

export const SttConfig = z.object({
  ENGINE: z.enum(sttEngines),
  MODEL: text,
  COMPAT_API_BASE_URL: text,
  MISTRAL_API_BASE_URL: text,
  DEEPGRAM_API_BASE_URL: text,
  AZURE_REGION: text,
  AZURE_BASE_URL: text,
  AZURE_LOCALES: z.array(z.string().max(35)).max(20),
  LOCALSTT_MODEL: z.enum(localSttModels),
  LOCALSTT_LANGUAGE: text,
  LOCALSTT_VAD_FILTER: z.boolean(),
})
export const TtsConfig = z.object({
  ENGINE: z.enum(ttsEngines),
  MODEL: z.string().min(1).max(200),
  VOICE: z.string().min(1).max(200),
  COMPAT_API_BASE_URL: text,
  MISTRAL_API_BASE_URL: text,
  ELEVENLABS_BASE_URL: text,
  AZURE_REGION: text,
  AZURE_BASE_URL: text,
  AZURE_OUTPUT_FORMAT: text,
})

/** Keys are never shown: `isSet` tells whether there is one. */
const KeyState = z.object({ isSet: z.boolean() })
export const AudioConfig = z.object({
  stt: SttConfig.extend({
    COMPAT_API_KEY: KeyState,
    MISTRAL_API_KEY: KeyState,
    DEEPGRAM_API_KEY: KeyState,
    AZURE_API_KEY: KeyState,
  }),
  tts: TtsConfig.extend({ COMPAT_API_KEY: KeyState, MISTRAL_API_KEY: KeyState, API_KEY: KeyState }),
})
export type AudioConfig = z.infer<typeof AudioConfig>

/** Field → new value; null goes back to the environment's value. */
const changes = z.record(z.string().max(60), z.unknown())
export const AudioConfigBody = z.strictObject({ stt: changes.optional(), tts: changes.optional() })
