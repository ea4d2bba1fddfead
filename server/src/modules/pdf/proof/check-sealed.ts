/** Holds a sealed file against what may stand in it and against the files that it was made of, before it is signed. */
import { findForbidden } from '../allow-list/find-forbidden.ts'
import { sealedFile } from '../allow-list/sealed.ts'
import type { DrawnPage } from '../interface.ts'
import { openStrict, type StrictFile } from '../strict/strict-file.ts'
import { SyntaxProblem } from '../strict/syntax.ts'
import { type Comparison, compareDrawn } from './compare-drawn.ts'
import { findProven, type ShownFile } from './proven-pages.ts'
import { type FieldBox, readUnprepared } from './read-drawn.ts'

export interface SignedFile {
  fields: readonly FieldBox[]
  drawn: readonly DrawnPage[] | null
  /** Of the bytes that were shown. */
  sha256: string | undefined
}

/** `originals`: the bytes of the files, in their order. */
export const checkSealed = async (
  files: readonly SignedFile[],
  originals: readonly Uint8Array[],
  sealed: Buffer,
): Promise<Comparison> => {
  // Files from before uploads were prepared may hold more.
  const isStrict = files.every(({ drawn }) => drawn !== null)
  const { file, problem } = readStrictly(sealed)
  const forbidden = isStrict ? (problem ?? forbiddenIn(file)) : undefined
  if (forbidden !== undefined) return { forbidden }
  const known: DrawnPage[] = []
  const boxes: FieldBox[] = []
  const prepared: ShownFile[] = []
  for (const [index, { fields, drawn, sha256 }] of files.entries()) {
    const bytes = originals[index] ?? new Uint8Array()
    const before = known.length
    const read = drawn === null ? await readUnprepared(bytes) : { drawn, boxes: [] }
    for (const { page, x, y, width, height } of [...fields, ...read.boxes])
      boxes.push({ page: before + page, x, y, width, height })
    known.push(...read.drawn)
    if (drawn) prepared.push({ bytes, sha256, before, count: drawn.length, fields })
  }
  return compareDrawn(known, sealed, boxes, { isStrict, proof: file && findProven(prepared, file) })
}

type Read = { file: StrictFile; problem?: undefined } | { file?: undefined; problem: string }

const readStrictly = (bytes: Buffer): Read => {
  try {
    return { file: openStrict(bytes) }
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return { problem: problem.message }
    throw problem
  }
}

const forbiddenIn = (file: StrictFile | undefined): string | undefined => {
  if (!file) return undefined
  try {
    return findForbidden({ kind: 'dict', entries: file.trailer }, sealedFile(), file.resolve)
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return problem.message
    throw problem
  }
}
