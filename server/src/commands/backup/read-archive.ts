/** What every reader of a backup or an export needs: it is one, it is whole, and this release can read it. */
import { StartError } from '#kernel/process/start-error.ts'
import type { About, ArchiveKind, End } from './file/format.ts'
import { type Keys, openSecrets } from './file/passphrase.ts'
import { type Part, readParts, readWhole } from './file/reader.ts'
import { counted, type Progress } from './progress.ts'

interface Options {
  path: string
  kind: ArchiveKind
  passphrase: string
  /** Of migrations, that this release has. */
  known: ReadonlySet<string>
}

export interface OpenArchive<Secrets> {
  about: About
  secrets: Secrets
  /** All others, up to the end, which was compared with the passphrase when they have ended. */
  parts: AsyncGenerator<Part>
  /** Then. */
  end(): End
}

export const openArchive = async <Secrets>({
  path,
  kind,
  passphrase,
  known,
}: Options): Promise<OpenArchive<Secrets>> => {
  const parts = readParts(path, kind)
  const first = await parts.next()
  if (first.done || first.value.header.name !== 'about')
    throw new StartError(`The file is damaged: it doesn't say what it is. Use another one.`)
  const about = (await readWhole(first.value)) as About
  requireKnown(about, { known, kind })
  const { secrets, keys } = await openSecrets<Secrets>(passphrase, about.sealedSecrets)
  let end: End | undefined
  async function* others(): AsyncGenerator<Part> {
    for await (const part of parts) {
      if (part.header.name !== 'end') yield part
      else end = requireAuthentic(part, (await readWhole(part)) as End, keys)
    }
  }
  return {
    about,
    secrets,
    parts: others(),
    end: () => {
      if (!end) throw new Error('The file has not been read to its end.')
      return end
    },
  }
}

/** Reads all of it: its checksums, and at its end the MAC, which needs the passphrase. */
export const checkArchive = async (options: Options, progress: Progress): Promise<void> => {
  const { parts } = await openArchive(options)
  for await (const { content } of parts) for await (const _ of counted(content, progress));
}

const requireKnown = (
  { format, release, migrations }: About,
  { known, kind }: Pick<Options, 'known' | 'kind'>,
): void => {
  const unknown = migrations.find((name) => !known.has(name))
  if (format === 1 && unknown === undefined) return
  throw new StartError(
    `The ${kind.noun} was made by a newer Chancery (${release}${unknown === undefined ? '' : `, with the migration ${unknown}`}): use that release, or a later one.`,
  )
}

const requireAuthentic = ({ digestBefore, partsBefore }: Part, end: End, keys: Keys): End => {
  if (end.parts === partsBefore && end.mac === keys.macOf(digestBefore)) return end
  throw new StartError('The file is damaged: parts of it are missing or were changed. Use another one.')
}
