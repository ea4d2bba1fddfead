/**
 * The laws that dependency-cruiser can't say: how many files lie in a folder, which two folders use each other, and who
 * reads JSON.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('..', import.meta.url))
const most = 25
const places = ['server/src', 'contract/src', 'client', 'web/src', 'expression/src', 'plugin']
/** The folders of the names that begin with #. */
const names: Readonly<Record<string, string>> = { '#kernel': 'server/src/kernel', '#modules': 'server/src/modules' }

const isSource = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && existsSync(join(project, file))
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...places], {
  cwd: project,
  encoding: 'utf8',
})
const files = listed.split('\n').filter(isSource)

const findFullFolders = (): string[] => {
  const byFolder = Map.groupBy(files, dirname)
  return [...byFolder]
    .filter(([, inside]) => inside.length > most)
    .map(
      ([folder, { length }]) =>
        `${folder}: ${length} files. Nobody reads a folder of more than ${most}: give it rooms.`,
    )
}

const importedBy = (file: string): string[] => {
  const text = readFileSync(join(project, file), 'utf8')
  return [...text.matchAll(/(?:\bfrom|\bimport\(?) ?'([#.][^']+)'/g)].map(([, name = '']) => {
    if (name.startsWith('.')) return join(dirname(file), name)
    const [first = '', ...rest] = name.split('/')
    return join(names[first] ?? `web/src/${first.slice(1)}`, ...rest)
  })
}

/** The two folders side by side that an import connects, however deep inside them its ends are. */
const sidesOf = (from: string, to: string): [string, string] | undefined => {
  const one = dirname(from).split('/')
  const other = dirname(to).split('/')
  const at = one.findIndex((name, index) => name !== other[index])
  if (at < 1 || other.length <= at) return undefined
  return [one.slice(0, at + 1).join('/'), other.slice(0, at + 1).join('/')]
}

const findMutualFolders = (): string[] => {
  const uses = new Map<string, string>()
  for (const from of files) {
    for (const to of importedBy(from)) {
      const sides = sidesOf(from, to)
      if (sides && !uses.has(sides.join(' '))) uses.set(sides.join(' '), `${from} imports ${basename(to)}`)
    }
  }
  return [...uses].flatMap(([sides, example]) => {
    const [one = '', other = ''] = sides.split(' ')
    const back = uses.get(`${other} ${one}`)
    if (back === undefined || one > other) return []
    return [`${one} and ${other} import each other: they are one folder, or need a third. ${example}; ${back}.`]
  })
}

/** The door itself, and what runs in a process or a thread of its own. */
const mayParse = (file: string): boolean =>
  /^server\/src\/(kernel\/json|kernel\/child\/process|modules\/files\/extraction)\/|\.(worker|computation)\.ts$/.test(
    file,
  )

/** What others write can hold the event loop for seconds, so it is measured before it is read. */
const findStrayParses = (): string[] =>
  files
    .filter((file) => file.startsWith('server/src/') && !mayParse(file))
    .filter((file) => /\bJSON\.parse\b/.test(readFileSync(join(project, file), 'utf8')))
    .map((file) => `${file}: JSON.parse. Use parseForeign, or parseOwn for what this server wrote (kernel/json).`)

const breaches = [...findFullFolders(), ...findMutualFolders(), ...findStrayParses()]
for (const breach of breaches) console.error(breach)
process.exitCode = breaches.length === 0 ? 0 : 1
