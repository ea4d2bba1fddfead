/** Makes a PDF of an upload that is none: pictures in the limited child, office files with LibreOffice. */
import { accessSync, constants } from 'node:fs'
import type { StagedBlob } from '#kernel/blobs/index.ts'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { PdfChild } from '../child/pdf-child.ts'
import type { PdfConfig } from '../config.ts'
import type { ForeignFile } from '../interface.ts'
import { convertOfficeFile } from './office-file.ts'

interface Needs {
  kernel: Pick<Kernel<PdfConfig>, 'blobs' | 'children' | 'config'>
  child: Pick<PdfChild, 'picture'>
}

/** Office files are zip archives; their names tell which kind, and LibreOffice checks that. */
const officeName = /\.(docx|odt)$/i

const pictureTypes = new Set<string | undefined>(['image/png', 'image/jpeg', 'image/webp'])

const officePlaces = ['/usr/bin/soffice', '/usr/local/bin/soffice', '/opt/libreoffice/program/soffice']

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export const createConverter = ({ kernel, child }: Needs) => {
  const { blobs, config } = kernel
  const stage = (pdf: Buffer): Promise<StagedBlob> =>
    blobs.stage(pdf, { area: 'signing', contentType: 'application/pdf' })

  /** Looked for each time, so that it can be installed without a restart. */
  const findOffice = (): string => {
    const { SIGNING_OFFICE_PATH: configured } = config
    const found = (configured === undefined ? officePlaces : [configured]).find(isProgram)
    if (found === undefined) throw new AppError('converter_missing')
    return found
  }

  return async ({ key, name, type }: ForeignFile, tenant: string): Promise<StagedBlob | undefined> => {
    if (type === 'application/pdf') return undefined
    if (pictureTypes.has(type)) return stage(await child.picture(key, tenant))
    const [, ending] = type === 'application/zip' ? (officeName.exec(name) ?? []) : []
    if (ending === undefined) throw new AppError('not_a_pdf')
    const office = findOffice()
    const open = async () => (await blobs.get(key))?.stream
    const file = { office, ending: ending.toLowerCase(), open, tenant }
    return stage(await convertOfficeFile(kernel.children, file))
  }
}
