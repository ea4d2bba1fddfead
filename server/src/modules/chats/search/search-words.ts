/** Parses the search field: words, and `tag:x folder:x pinned:true archived:true`. Pure. */
import { normalized } from '@chancery/contract/normalized.ts'

export interface SearchWords {
  /** For `to_tsquery`: all words of spaced scripts, the last of them as a prefix. Empty when there are none. */
  query: string
  /** The same words one by one. */
  spaced: string[]
  /** Words of scripts without spaces (Chinese, Japanese, Thai, …): found anywhere in a text. */
  unspaced: string[]
  /** The words as they were typed. */
  text: string
  tags: string[]
  folders: string[]
  pinned?: boolean
  archived?: boolean
}

/** The characters whose pairs are indexed; the migration that makes the index names the same ranges. */
export const unspacedRanges =
  '\\u0E00-\\u0EFF\\u0F00-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u31F0-\\u31FF\\u3400-\\u9FFF\\uF900-\\uFAFF\\uFF66-\\uFF9F'
const unspacedScript = new RegExp(`[${unspacedRanges}]`)

const part = /(tag|folder|pinned|archived):("[^"]*"|\S+)|\S+/gi

export const readSearch = (typed: string): SearchWords => {
  const found: SearchWords = { query: '', spaced: [], unspaced: [], text: '', tags: [], folders: [] }
  const words: string[] = []
  for (const [whole, name, quoted = ''] of normalized(typed).matchAll(part)) {
    const value = quoted.replace(/^"|"$/g, '')
    const key = name?.toLowerCase()
    if (key === 'tag') found.tags.push(value)
    else if (key === 'folder') found.folders.push(value)
    else if ((key === 'pinned' || key === 'archived') && /^(true|false)$/i.test(value))
      found[key] = value.toLowerCase() === 'true'
    else words.push(whole)
  }
  found.spaced = words.filter((word) => /[\p{L}\p{N}]/u.test(word) && !unspacedScript.test(word))
  found.unspaced = words.filter((word) => unspacedScript.test(word))
  found.text = words.join(' ')
  found.query = found.spaced.map(quote).join(' & ') + (found.spaced.length > 0 ? ':*' : '')
  return found
}

/** Inside quotes only these two are special to `to_tsquery`. */
const quote = (word: string): string => `'${word.replace(/['\\]/g, '$&$&')}'`
