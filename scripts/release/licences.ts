/** The licences of everything that the archive brings, each text once with the packages that have it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Package } from './closure.ts'

const isLicence = (file: string): boolean => /^(licen[cs]e|copying|notice|ofl)/i.test(file)

const textOf = (project: string, { path }: Package): string => {
  const folder = join(project, path)
  if (!existsSync(folder)) return ''
  const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile() && isLicence(file.name))
  return files.map(({ name }) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n')
}

const titleOf = ({ name, version, license = 'see the text' }: Package): string => `${name} ${version} (${license})`

export const listLicences = (project: string, packages: readonly Package[]): string => {
  const byText = Map.groupBy(packages, (packed) => textOf(project, packed))
  const without = byText.get('') ?? []
  byText.delete('')
  const sections = [...byText].map(([text, same]) => `${same.map(titleOf).join('\n')}\n\n${text}`)
  const silent = `These packages bring no text of their licence; their manifest names it:\n\n${without.map(titleOf).join('\n')}`
  const line = `\n\n${'-'.repeat(100)}\n\n`
  return `What Chancery brings of others, and under which licences.${line}${[...sections, silent].join(line)}\n`
}
