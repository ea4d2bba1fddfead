/** The names of engines, for settings and environment variables alike. No schemas: the configuration is read before anything else. */

/** Empty is the local engine. */
export const sttEngines = ['', 'compat', 'azure', 'deepgram', 'mistral'] as const
export type SttEngineName = (typeof sttEngines)[number]
export const localSttModels = ['tiny', 'base', 'small', 'medium', 'large'] as const

/** Empty: only the browser speaks. */
export const ttsEngines = ['', 'compat', 'mistral', 'elevenlabs', 'azure', 'transformers'] as const
export type TtsEngineName = (typeof ttsEngines)[number]

export const embeddingEngines = ['local', 'upstream', 'compat', 'none'] as const
export type EmbeddingEngineName = (typeof embeddingEngines)[number]

export const searchEngines = ['none', 'searxng', 'brave', 'tavily', 'json'] as const
export type SearchEngineName = (typeof searchEngines)[number]
