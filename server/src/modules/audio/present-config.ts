/** The settings as the console's audio page reads and writes them. Keys have no way out. */
import type { AudioConfig } from '@chancery/contract/files/audio.ts'
import { AppError } from '#kernel/errors.ts'
import { type AudioSettings, isKey, settingKey } from './settings.ts'

type Readers = Readonly<Record<string, () => unknown>>
type OrNull<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value
type Shown<Part extends Readers> = {
  [Field in keyof Part]: Field extends `${string}API_KEY` ? { isSet: boolean } : OrNull<ReturnType<Part[Field]>>
}

const shown = <Part extends Readers>(settings: Part): Shown<Part> => {
  const fields = Object.entries(settings).map(([field, read]) => {
    const value = read()
    return [field, isKey(field) ? { isSet: Boolean(value) } : (value ?? null)]
  })
  return Object.fromEntries(fields) as Shown<Part>
}

export const presentConfig = ({ stt, tts }: AudioSettings): AudioConfig => ({ stt: shown(stt), tts: shown(tts) })

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
