/** Connections to models, their patience, and the currency of prices. */
import { currency, integer, list, text, url, type ValuesOf, web } from '#kernel/config/variable.ts'

const webAddress = (item: string): string => {
  const protocol = URL.parse(item)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return item
  throw new Error(`must be a list of http or https addresses; "${item}" is none`)
}

export const modelsVariables = {
  Models: {
    UPSTREAM_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: web,
      sentence: 'A local model runtime, such as http://localhost:11434.',
    }),
    UPSTREAM_BASE_URLS: list({
      fallback: [],
      separator: ';',
      item: webAddress,
      sentence: 'Several local model runtimes.',
    }),
    COMPAT_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: web,
      sentence: 'A provider of the common chat-completion API, with its version: https://host/v1.',
    }),
    COMPAT_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    COMPAT_API_BASE_URLS: list({ fallback: [], separator: ';', item: webAddress, sentence: 'Several such providers.' }),
    COMPAT_API_KEYS: list({
      fallback: [],
      keepsEmpty: true,
      separator: ';',
      secret: true,
      sentence: 'Their keys, in the same order; an empty item means none.',
    }),
    HTTP_CLIENT_TIMEOUT: integer({
      fallback: 600,
      min: 1,
      max: 86_400,
      sentence: "Seconds that a model's reply may take to begin, and then to pause.",
    }),
    HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST: integer({
      fallback: 30,
      min: 1,
      max: 3600,
      sentence: 'Seconds that a connection may take to list its models.',
    }),
    SVC_CURRENCY: currency({
      fallback: 'USD',
      sentence:
        'The ISO 4217 code of the currency that prices of models are given in. What runs have cost keeps its own.',
    }),
  },
} as const
export type ModelsConfig = ValuesOf<typeof modelsVariables>
