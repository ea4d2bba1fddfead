/** Engines on other servers that turn speech into text. Each reads its settings when it is called. */
import type { SttEngineName } from '@chancery/contract/engines.ts'
import type { SttSettings } from '../settings.ts'
import {
  formOf,
  type Listen,
  type PostToEngine,
  required,
  type Speech,
  type SttEngine,
  type Transcript,
  textIn,
  withoutSlash,
} from './engine.ts'

const compatStt =
  (settings: SttSettings, post: PostToEngine): Listen =>
  async (recording, { language, model, prompt, signal }) => {
    const base = withoutSlash(required(settings.COMPAT_API_BASE_URL(), 'the address of the compatible engine'))
    const key = settings.COMPAT_API_KEY()
    const fields = { model: model ?? settings.MODEL() ?? 'whisper-1', language, prompt }
    const { headers, body } = await formOf(fields, { field: 'file', ...recording })
    const authorization: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const reply = await post(`${base}/audio/transcriptions`, {
      headers: { ...headers, ...authorization },
      body,
      signal,
    })
    return transcriptIn(reply)
  }

const mistralStt =
  (settings: SttSettings, post: PostToEngine): Listen =>
  async (recording, { language, model, signal }) => {
    const base = withoutSlash(required(settings.MISTRAL_API_BASE_URL(), 'the address of Mistral'))
    const key = required(settings.MISTRAL_API_KEY(), "Mistral's key")
    const fields = { model: model ?? settings.MODEL() ?? 'voxtral-mini-latest', language }
    const { headers, body } = await formOf(fields, { field: 'file', ...recording })
    const all = { ...headers, authorization: `Bearer ${key}` }
    const reply = await post(`${base}/audio/transcriptions`, { headers: all, body, signal })
    return transcriptIn(reply)
  }

const transcriptIn = (reply: Speech): Transcript => {
  let usage: unknown
  const text = textIn(reply, (answer: { text: unknown; usage?: unknown }) => {
    usage = answer.usage
    return answer.text
  })
  return { text, usage }
}

interface DeepgramReply {
  results: { channels: { alternatives: { transcript: unknown }[] }[] }
}

const deepgramStt =
  (settings: SttSettings, post: PostToEngine): Listen =>
  async ({ bytes, type }, { language, model, signal }) => {
    const base = withoutSlash(required(settings.DEEPGRAM_API_BASE_URL(), 'the address of Deepgram'))
    const key = required(settings.DEEPGRAM_API_KEY(), "Deepgram's key")
    const query = new URLSearchParams({ model: model ?? settings.MODEL() ?? 'nova-3', smart_format: 'true' })
    if (language) query.set('language', language)
    else query.set('detect_language', 'true')
    const headers = { 'content-type': type, authorization: `Token ${key}` }
    const reply = await post(`${base}/listen?${query}`, { headers, body: bytes, signal })
    return { text: textIn(reply, ({ results }: DeepgramReply) => results.channels[0]?.alternatives[0]?.transcript) }
  }

interface AzureReply {
  combinedPhrases: { text: unknown }[]
}

const azureVersion = '2024-11-15'

const azureStt =
  (settings: SttSettings, post: PostToEngine): Listen =>
  async (recording, { language, signal }) => {
    const key = required(settings.AZURE_API_KEY(), "Azure's key")
    const region = settings.AZURE_REGION()
    const usual = region && `https://${region}.api.cognitive.microsoft.com`
    const base = withoutSlash(required(settings.AZURE_BASE_URL() ?? usual, "Azure's region"))
    const locales = language ? [language] : settings.AZURE_LOCALES()
    const fields = { definition: JSON.stringify({ locales }) }
    const { headers, body } = await formOf(fields, { field: 'audio', ...recording })
    const all = { ...headers, 'ocp-apim-subscription-key': key }
    const url = `${base}/speechtotext/transcriptions:transcribe?api-version=${azureVersion}`
    const reply = await post(url, { headers: all, body, signal })
    const join = ({ combinedPhrases }: AzureReply) => combinedPhrases.map(({ text }) => text).join('\n')
    return { text: textIn(reply, join) }
  }

export const remoteStt = (
  settings: SttSettings,
  post: PostToEngine,
): Record<Exclude<SttEngineName, ''>, SttEngine> => ({
  compat: { listen: compatStt(settings, post), isReady: () => Boolean(settings.COMPAT_API_BASE_URL()) },
  mistral: { listen: mistralStt(settings, post), isReady: () => Boolean(settings.MISTRAL_API_KEY()) },
  deepgram: { listen: deepgramStt(settings, post), isReady: () => Boolean(settings.DEEPGRAM_API_KEY()) },
  azure: { listen: azureStt(settings, post), isReady: () => Boolean(settings.AZURE_API_KEY()) },
})
