/** Engines on other servers that turn text into speech. Each reads its settings when it is called. */
import type { TtsEngineName } from '@chancery/contract/engines.ts'
import { AppError } from '#kernel/errors.ts'
import type { TtsSettings } from '../settings.ts'
import { type PostToEngine, required, type Speech, type TtsEngine, textIn, withoutSlash } from './engine.ts'

const json = { 'content-type': 'application/json' }

const compatTts =
  (settings: TtsSettings, post: PostToEngine): TtsEngine =>
  async ({ text, voice, model, speed, format, instructions, signal }) => {
    const base = withoutSlash(required(settings.COMPAT_API_BASE_URL(), 'the address of the compatible engine'))
    const key = settings.COMPAT_API_KEY()
    const authorization: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const body = JSON.stringify({ model, input: text, voice, speed, response_format: format, instructions })
    return requireAudio(await post(`${base}/audio/speech`, { headers: { ...json, ...authorization }, body, signal }))
  }

const mistralTypes: Record<string, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  opus: 'audio/ogg',
}

/** Answers JSON that holds the audio as base64. */
const mistralTts =
  (settings: TtsSettings, post: PostToEngine): TtsEngine =>
  async ({ text, voice, model, format = 'mp3', signal }) => {
    const base = withoutSlash(required(settings.MISTRAL_API_BASE_URL(), 'the address of Mistral'))
    const key = required(settings.MISTRAL_API_KEY(), "Mistral's key")
    const body = JSON.stringify({ model, input: text, voice_id: voice, response_format: format })
    const headers = { ...json, authorization: `Bearer ${key}` }
    const reply = await post(`${base}/audio/speech`, { headers, body, signal })
    const audio = textIn(reply, ({ audio_data }: { audio_data: unknown }) => audio_data)
    return requireAudio({
      bytes: Buffer.from(audio, 'base64'),
      type: mistralTypes[format] ?? 'application/octet-stream',
    })
  }

const elevenlabsTts =
  (settings: TtsSettings, post: PostToEngine): TtsEngine =>
  async ({ text, voice, model, speed, signal }) => {
    const base = withoutSlash(required(settings.ELEVENLABS_BASE_URL(), 'the address of ElevenLabs'))
    const key = required(settings.API_KEY(), "ElevenLabs' key")
    const settled = speed === undefined ? {} : { voice_settings: { speed } }
    const body = JSON.stringify({ text, model_id: model, ...settled })
    const headers = { ...json, accept: 'audio/mpeg', 'xi-api-key': key }
    return requireAudio(await post(`${base}/text-to-speech/${encodeURIComponent(voice)}`, { headers, body, signal }))
  }

const azureTts =
  (settings: TtsSettings, post: PostToEngine): TtsEngine =>
  async ({ text, voice, speed, signal }) => {
    const key = required(settings.API_KEY(), "Azure's key")
    const region = settings.AZURE_REGION()
    const usual = region && `https://${region}.tts.speech.microsoft.com`
    const base = withoutSlash(required(settings.AZURE_BASE_URL() ?? usual, "Azure's region"))
    const headers = {
      'content-type': 'application/ssml+xml',
      'ocp-apim-subscription-key': key,
      'x-microsoft-outputformat': settings.AZURE_OUTPUT_FORMAT() ?? 'audio-24khz-160kbitrate-mono-mp3',
    }
    const body = ssml({ text, voice, speed })
    return requireAudio(await post(`${base}/cognitiveservices/v1`, { headers, body, signal }))
  }

/** Voices are called by their locale: `en-US-JennyNeural`. */
const ssml = ({ text, voice, speed }: { text: string; voice: string; speed: number | undefined }): string => {
  const locale = /^[a-z]{2,3}-[A-Z]{2}/.exec(voice)?.[0] ?? 'en-US'
  const words = speed === undefined ? escapeXml(text) : `<prosody rate="${speed}">${escapeXml(text)}</prosody>`
  const speak = `version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${locale}"`
  return `<speak ${speak}><voice name="${escapeXml(voice)}">${words}</voice></speak>`
}

const entities: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' }
const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => entities[character] ?? '').replace(/[^\P{Cc}\t\n\r]/gu, ' ')

/** Engines answer some failures with 200 and a page or JSON, which a browser would not play. */
const requireAudio = (speech: Speech): Speech => {
  const isAudio = /^(audio\/|application\/octet-stream$)/.test(speech.type)
  if (isAudio && speech.bytes.length > 0) return speech
  throw new AppError('speech_engine_failed', { detail: "The speech engine didn't answer with audio." })
}

type Remote = Exclude<TtsEngineName, '' | 'transformers'>

export const remoteTts = (settings: TtsSettings, post: PostToEngine): Record<Remote, TtsEngine> => ({
  compat: compatTts(settings, post),
  mistral: mistralTts(settings, post),
  elevenlabs: elevenlabsTts(settings, post),
  azure: azureTts(settings, post),
})
