/**
 * Turns a Word or OpenDocument file into a PDF with LibreOffice: a process without network and with limits, a profile
 * and a folder of its own that are deleted afterwards. Macros and linked content are switched off besides.
 */
import { createWriteStream } from 'node:fs'
import { chmod, constants, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import type { Children } from '#kernel/child/index.ts'
import { AppError } from '#kernel/errors.ts'
import { createConcurrencyLimit } from '#kernel/turns/concurrency-limit.ts'

interface OfficeFile {
  /** The path of `soffice`. */
  office: string
  /** `docx` or `odt`. */
  ending: string
  /** Called once it is this file's turn, so that a file that waits or is refused is not held open. */
  open(): Promise<Readable | undefined>
  tenant: string
}

const maxPdfMb = 100
const limits = { memoryMb: 2_048, fileMb: maxPdfMb * 2, wallMs: 90_000 }
/** LibreOffice takes a core and hundreds of megabytes. */
const oneAtATime = createConcurrencyLimit(1)
const maxWaiting = 20
/** A file can take the whole time, so nobody may fill the queue alone. */
const maxPerTenant = 3
const perTenant = new Map<string, number>()

const count = (tenant: string, change: 1 | -1): void => {
  const next = (perTenant.get(tenant) ?? 0) + change
  if (next > 0) perTenant.set(tenant, next)
  else perTenant.delete(tenant)
}

const switchedOn = (name: string): string =>
  `<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="${name}" oor:op="fuse"><value>true</value></prop></item>`

const profile = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
${switchedOn('DisableMacrosExecution')}
${switchedOn('DisableActiveContent')}
${switchedOn('BlockUntrustedRefererLinks')}
</oor:items>
`

const folderStart = 'chancery-office-'

/** Removes the folders of servers that were killed while they converted. Those of other running servers stay. */
export const sweepOfficeFolders = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(folderStart) ? Number.parseInt(name.slice(folderStart.length), 10) : Number.NaN
    const folder = join(tmpdir(), name)
    // A folder that can't be removed is another account's.
    if (pid > 0 && (await isAbandoned(folder, pid))) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/** In a container, every server has the same number; then the folder is older than this one. */
const isAbandoned = async (folder: string, pid: number): Promise<boolean> => {
  if (pid === process.pid) return (await stat(folder)).mtimeMs < performance.timeOrigin
  try {
    process.kill(pid, 0)
    return false
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

export const convertOfficeFile = (children: Pick<Children, 'runProgram'>, file: OfficeFile): Promise<Buffer> => {
  const isFull = oneAtATime.waiting() >= maxWaiting || (perTenant.get(file.tenant) ?? 0) >= maxPerTenant
  if (isFull) throw new AppError('not_ready', { retryAfterSec: 30 })
  count(file.tenant, 1)
  const converted = oneAtATime(async () => {
    const folder = await mkdtemp(join(tmpdir(), `${folderStart}${process.pid}-`))
    try {
      return await convertIn(folder, children, file)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
  return converted.finally(() => count(file.tenant, -1))
}

const convertIn = async (
  folder: string,
  children: Pick<Children, 'runProgram'>,
  { office, ending, ...file }: OfficeFile,
): Promise<Buffer> => {
  const [input, output, user] = [join(folder, `input.${ending}`), join(folder, 'out'), join(folder, 'profile', 'user')]
  await mkdir(user, { recursive: true })
  await mkdir(output)
  await writeFile(join(user, 'registrymodifications.xcu'), profile)
  const source = await file.open()
  if (!source) throw new AppError('not_found')
  await pipeline(source, createWriteStream(input))
  // The program may run as another user, to whom the folder itself is given.
  for (const path of [join(folder, 'profile'), user, output]) await chmod(path, 0o777)
  for (const path of [input, join(user, 'registrymodifications.xcu')]) await chmod(path, 0o666)
  const ended = await children.runProgram({
    file: office,
    tenant: file.tenant,
    args: [
      `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
      '--headless',
      '--norestore',
      '--nolockcheck',
      '--nodefault',
      '--nofirststartwizard',
      '--convert-to',
      'pdf',
      '--outdir',
      output,
      input,
    ],
    folder,
    ...limits,
  })
  if (ended.kind === 'not_started') throw new AppError('converter_missing')
  if (ended.kind === 'stopped') throw new AppError('not_ready', { retryAfterSec: 30 })
  if (ended.kind === 'timeout') throw new AppError('pdf_too_complex')
  return readPdf(join(output, 'input.pdf'))
}

/** The program read foreign bytes, so what it left may be a link to another file, a pipe that never ends, or huge. */
const readPdf = async (path: string): Promise<Buffer> => {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(() => undefined)
  if (!file) throw new AppError('conversion_failed')
  try {
    const facts = await file.stat()
    const { size } = facts
    if (!facts.isFile() || size === 0 || size > maxPdfMb * 1024 * 1024) throw new AppError('conversion_failed')
    return await file.readFile()
  } finally {
    await file.close()
  }
}
