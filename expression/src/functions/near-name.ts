/** The name that someone probably meant: written in another case, or with a typing mistake or two. Pure. */
import { nameDistance, plainName } from './name-distance.ts'

/** Beyond these a search would cost more than it helps. */
const longest = 40
const most = 100
/** The name that was meant may be this much longer or shorter. */
const slack = 4

const comparisonsPerStep = 100

/** The cost of the search: each character of a name is compared with each that was written. */
export const nearNameSteps = (written: string, names: readonly string[]): number =>
  names.length > most ? 0 : Math.ceil((names.length * Math.min(written.length, longest) ** 2) / comparisonsPerStep)

/** For more names, or longer ones, nothing is suggested. */
export const suggestable = { names: most, nameLength: longest + slack }

export const nearName = (written: string, names: readonly string[]): string | undefined => {
  if (written.length > longest || names.length > most) return undefined
  const wanted = plainName(written)
  const allowed = wanted.length < 4 ? 0 : wanted.length < 7 ? 1 : 2
  const candidates = names
    .filter((name) => Math.abs(name.length - written.length) <= slack)
    .map((name) => ({ name, far: nameDistance(wanted, plainName(name)) }))
    .filter(({ far }) => far <= allowed)
  return candidates.sort((one, other) => one.far - other.far)[0]?.name
}
