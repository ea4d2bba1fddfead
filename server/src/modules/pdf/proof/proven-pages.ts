/**
 * Finds the pages of a sealed file that hold the very objects of the files that were shown: they draw the same in every
 * reader. By the strict reader, which shares nothing with the library that writes. What it can't prove is no
 * difference yet: the second reader decides about it. Pure.
 */
import { createHash } from 'node:crypto'
import { type FoundPage, pagesOf } from '../strict/page-tree.ts'
import { openStrict, type StrictFile } from '../strict/strict-file.ts'
import { SyntaxProblem } from '../strict/syntax.ts'
import { requireDict } from '../strict/values.ts'
import type { FieldBox } from './read-drawn.ts'
import { SameObjects } from './same-objects.ts'
import { isSamePage } from './same-page.ts'

export interface ShownFile {
  bytes: Uint8Array
  /** Of the bytes that were shown. */
  sha256: string | undefined
  /** The number of pages that come before it in the sealed file. */
  before: number
  /** The number of pages whose drawing was recorded. */
  count: number
  fields: readonly FieldBox[]
}

export interface Proof {
  /** Pages of the sealed file, from 1. */
  proven: ReadonlySet<number>
  /** The object of each page of the sealed file, in order. */
  pages: readonly number[]
}

interface OpenFile {
  file: StrictFile
  pages: readonly FoundPage[]
}

export const findProven = (files: readonly ShownFile[], file: StrictFile): Proof | undefined =>
  attempt(() => {
    const sealed = { file, pages: pagesIn(file) }
    const proven = files.flatMap((shown) => provenPages(shown, sealed))
    return { proven: new Set(proven), pages: sealed.pages.map(({ number }) => number) }
  })

const pagesIn = (file: StrictFile): FoundPage[] => {
  const catalog = requireDict(file.resolve(file.trailer.get('Root')), 'its root')
  // Layers would let equal objects show different things.
  if (catalog.has('OCProperties')) throw new SyntaxProblem('layers')
  return pagesOf(file, catalog, Number.POSITIVE_INFINITY)
}

const provenPages = ({ bytes, sha256, before, count, fields }: ShownFile, sealed: OpenFile): number[] => {
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) return []
  const shown = attempt(() => openFile(bytes))
  if (shown?.pages.length !== count) return []
  const objects = new SameObjects(shown.file.resolve, sealed.file.resolve)
  const boxes = Map.groupBy(fields, ({ page }) => page)
  return shown.pages.flatMap((page, index) => {
    const number = before + index + 1
    const sealedPage = sealed.pages[number - 1]
    if (!sealedPage) return []
    const pair = {
      shown: { ...shown, page },
      sealed: { ...sealed, page: sealedPage },
      boxes: boxes.get(index + 1) ?? [],
    }
    return attempt(() => isSamePage(objects, pair)) ? [number] : []
  })
}

const openFile = (bytes: Uint8Array): OpenFile => {
  const file = openStrict(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (file.isEncrypted) throw new SyntaxProblem('it is encrypted')
  return { file, pages: pagesIn(file) }
}

/** Undefined for what the strict reader doesn't read. */
const attempt = <Result>(prove: () => Result): Result | undefined => {
  try {
    return prove()
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return undefined
    throw problem
  }
}
