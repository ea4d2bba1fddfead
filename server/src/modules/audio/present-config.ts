/** The settings as the console's audio page reads and writes them. Keys have no way out. */
import type { AudioConfig } from '@chancery/contract/files/audio.ts'
import { AppError } from '#kernel/errors.ts'
import { type AudioSettings, settingKey } from './settings.ts'

const isSet = (value: string | undefined) => ({ isSet: value !== undefined && value !== '' })

export const presentConfig = ({ stt, tts }: AudioSettings): AudioConfig => ({
  stt: {
    ENGINE: stt.ENGINE(),
    MODEL: stt.MODEL() ?? null,
    COMPAT_API_BASE_URL: stt.COMPAT_API_BASE_URL() ?? null,
    COMPAT_API_KEY: isSet(stt.COMPAT_API_KEY()),
    MISTRAL_API_BASE_URL: stt.MISTRAL_API_BASE_URL() ?? null,
    MISTRAL_API_KEY: isSet(stt.MISTRAL_API_KEY()),
    DEEPGRAM_API_BASE_URL: stt.DEEPGRAM_API_BASE_URL() ?? null,
    DEEPGRAM_API_KEY: isSet(stt.DEEPGRAM_API_KEY()),
    AZURE_REGION: stt.AZURE_REGION() ?? null,
    AZURE_BASE_URL: stt.AZURE_BASE_URL() ?? null,
    AZURE_API_KEY: isSet(stt.AZURE_API_KEY()),
    AZURE_LOCALES: stt.AZURE_LOCALES(),
    LOCALSTT_MODEL: stt.LOCALSTT_MODEL(),
    LOCALSTT_LANGUAGE: stt.LOCALSTT_LANGUAGE() ?? null,
    LOCALSTT_VAD_FILTER: stt.LOCALSTT_VAD_FILTER(),
  },
  tts: {
    ENGINE: tts.ENGINE(),
    MODEL: tts.MODEL(),
    VOICE: tts.VOICE(),
    API_KEY: isSet(tts.API_KEY()),
    COMPAT_API_BASE_URL: tts.COMPAT_API_BASE_URL() ?? null,
    COMPAT_API_KEY: isSet(tts.COMPAT_API_KEY()),
    MISTRAL_API_BASE_URL: tts.MISTRAL_API_BASE_URL() ?? null,
    MISTRAL_API_KEY: isSet(tts.MISTRAL_API_KEY()),
    ELEVENLABS_BASE_URL: tts.ELEVENLABS_BASE_URL() ?? null,
    AZURE_REGION: tts.AZURE_REGION() ?? null,
    AZURE_BASE_URL: tts.AZURE_BASE_URL() ?? null,
    AZURE_OUTPUT_FORMAT: tts.AZURE_OUTPUT_FORMAT() ?? null,
  },
})

interface Changes {
  stt?: Record<string, unknown> | undefined
  tts?: Record<string, unknown> | undefined
}

/** By setting key. A field of the reply that shows only whether a key is set may be sent back, and changes nothing. */
export const changedSettings = (settings: AudioSettings, changes: Changes): Record<string, unknown> => {
  const changed: Record<string, unknown> = {}
  for (const part of ['stt', 'tts'] as const)
    for (const [field, value] of Object.entries(changes[part] ?? {})) {
      if (!Object.hasOwn(settings[part], field)) {
        const problem = { loc: ['body', part, field], msg: 'is not a known setting', type: 'unrecognized_keys' }
        throw new AppError('validation_failed', { problems: [problem] })
      }
      if (!isKeyState(value)) changed[settingKey(part, field)] = value
    }
  return changed
}

const isKeyState = (value: unknown): boolean => typeof value === 'object' && value !== null && 'isSet' in value
