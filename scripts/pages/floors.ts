/** The modules by floor, from the rules that `npm run floors` checks. */
import { table } from './parts.ts'

const { floors }: { floors: string[][] } = await import(new URL('../../.dependency-cruiser.mjs', import.meta.url).href)

export const floorsTable = (): string =>
  table(
    ['Floor', 'Modules'],
    [['0', 'kernel: knows no domain word'], ...floors.map((names, index) => [String(index + 1), names.join(', ')])],
  )
