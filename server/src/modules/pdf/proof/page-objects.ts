/** The fonts, pictures and shadings that a page's operations name. */
import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

export interface Operation {
  fn: number
  args: readonly unknown[]
}

/** A list of operations as the reader has it: of a page, of a tile that is repeated, of a letter that is a drawing. */
interface OperationList {
  fnArray: readonly number[]
  argsArray: readonly (readonly unknown[] | null | undefined)[]
}

/** Null for what the reader could not make anything of. */
export type PageObjects = ReadonlyMap<string, unknown>

/** Where an object is first announced depends on how the reader cuts its list into pieces, so that is left out. */
export const operationsIn = (list: OperationList): Operation[] => allIn(list).filter(({ fn }) => fn !== OPS.dependency)

const allIn = ({ fnArray, argsArray }: OperationList): Operation[] =>
  fnArray.map((fn, index) => ({ fn, args: argsArray[index] ?? [] }))

/** Waits for every object that the list needs, and for what those need. */
export const loadObjects = async (page: PDFPageProxy, list: OperationList): Promise<PageObjects> => {
  const found = new Map<string, unknown>()
  const load = async (part: OperationList): Promise<void> => {
    const missing = idsIn(part).filter((id) => !found.has(id))
    for (const id of missing) found.set(id, null)
    for (const id of missing) {
      const object = await objectOf(page, id)
      found.set(id, object)
      for (const letter of lettersOf(object).values()) await load(letter)
    }
  }
  await load(list)
  return found
}

const objectOf = ({ commonObjs, objs }: PDFPageProxy, id: string): Promise<unknown> =>
  new Promise((resolve, reject) => (id.startsWith('g_') ? commonObjs : objs).get(id, resolve, reject))

const idsIn = (list: OperationList): string[] => {
  const ids = new Set<string>()
  for (const { fn, args } of allIn(list)) {
    if (fn === OPS.dependency) for (const id of args) ids.add(String(id))
    if (fn === OPS.shadingFill) ids.add(String(args[0]))
    if (fn !== OPS.setFillColorN && fn !== OPS.setStrokeColorN) continue
    if (args[0] === 'Shading') ids.add(String(args[1]))
    if (isTile(args)) for (const id of idsIn(args[2])) ids.add(id)
  }
  return [...ids]
}

export const isTile = (args: readonly unknown[]): args is [string, unknown, OperationList, ...unknown[]] =>
  args[0] === 'TilingPattern'

/** The letters of a font that are drawings, by their names. */
export const lettersOf = (object: unknown): ReadonlyMap<string, OperationList> => {
  const { charProcOperatorList } = (object ?? {}) as { charProcOperatorList?: Map<string, OperationList> }
  return charProcOperatorList ?? new Map()
}
