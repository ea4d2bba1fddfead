export type ErrorKind = 'invalid' | 'auth' | 'forbidden' | 'missing' | 'conflict' | 'limit' | 'provider' | 'server'

export interface ErrorEntry {
  status: number
  kind: ErrorKind
  sentence: string
}
