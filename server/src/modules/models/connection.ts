/** What is configured about a connection, wherever it comes from. */
export interface ConnectionSettings {
  id: string
  type: 'upstream' | 'compat'
  name: string
  /** Without a trailing slash. */
  url: string
  key: string | null
  prefixId: string | null
  modelIds: readonly string[] | null
  tags: readonly string[]
  enabled: boolean
  timeoutSec: number | null
  source: 'environment' | 'database'
  createdAt: Date | null
  updatedAt: Date | null
}

export const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '')
