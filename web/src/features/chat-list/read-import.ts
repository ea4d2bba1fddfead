/** Reads a file of exported chats: ours, or from a product with the same format. */
import { ImportBody } from '@chancery/contract/chats.ts'

export type Import = { body: { chats: unknown[] }; count: number } | { problem: string }

/** A list of records, one record, or `{chats: […]}`. */
function recordsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null && 'chats' in value && Array.isArray(value.chats)) return value.chats
  return [value]
}

export function readImport(text: string): Import {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'This file isn’t valid JSON.' }
  }
  const checked = ImportBody.safeParse({ chats: recordsOf(value) })
  if (checked.success) return { body: checked.data, count: checked.data.chats.length }
  const [issue] = checked.error.issues
  const [, index] = issue?.path ?? []
  if (issue?.code === 'too_big' && issue.path.length === 1) return { problem: 'A file can contain up to 500 chats.' }
  return {
    problem:
      typeof index === 'number'
        ? `Chat ${index + 1} in this file isn’t in a supported format.`
        : 'This file contains no chats.',
  }
}
