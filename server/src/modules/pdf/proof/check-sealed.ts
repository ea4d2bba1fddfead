/** Holds a sealed file against what may stand in it and against the files that it was made of, before it is signed. */
import { findForbidden } from '../allow-list/find-forbidden.ts'
import { sealedFile } from '../allow-list/sealed.ts'
import type { DrawnPage } from '../interface.ts'
import { openStrict } from '../strict/strict-file.ts'
import { SyntaxProblem } from '../strict/syntax.ts'
import { type Comparison, compareDrawn } from './compare-drawn.ts'
import { type FieldBox, readUnprepared } from './read-drawn.ts'

interface SignedFile {
  fields: readonly FieldBox[]
  drawn: readonly DrawnPage[] | null
}

/** `originals`: the bytes of the files, in their order. */
export const checkSealed = async (
  files: readonly SignedFile[],
  originals: readonly Uint8Array[],
  sealed: Buffer,
): Promise<Comparison> => {
  // Files from before uploads were prepared may hold more.
  const isStrict = files.every(({ drawn }) => drawn !== null)
  const forbidden = isStrict ? forbiddenIn(sealed) : undefined
  if (forbidden !== undefined) return { forbidden }
  const known: DrawnPage[] = []
  const boxes: FieldBox[] = []
  for (const [index, { fields, drawn }] of files.entries()) {
    const file = drawn === null ? await readUnprepared(originals[index] ?? new Uint8Array()) : { drawn, boxes: [] }
    const before = known.length
    for (const { page, x, y, width, height } of [...fields, ...file.boxes])
      boxes.push({ page: before + page, x, y, width, height })
    known.push(...file.drawn)
  }
  if (known.length === 0) return { pages: 0 }
  return compareDrawn(known, sealed, boxes, { isStrict })
}

const forbiddenIn = (sealed: Buffer): string | undefined => {
  try {
    const { trailer, resolve } = openStrict(sealed)
    return findForbidden({ kind: 'dict', entries: trailer }, sealedFile(), resolve)
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return problem.message
    throw problem
  }
}
