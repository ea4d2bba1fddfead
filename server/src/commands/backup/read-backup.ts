/** What both restoring and verifying need of a backup: it is one, it is whole, and this release can read it. */
import type { Secrets } from '#kernel/config/secrets.ts'
import { StartError } from '#kernel/process/start-error.ts'
import type { About, End } from './file/format.ts'
import { type Keys, openSecrets } from './file/passphrase.ts'
import { type Part, readParts, readWhole } from './file/reader.ts'

interface Options {
  path: string
  passphrase: string
  /** Of migrations, that this release has. */
  known: ReadonlySet<string>
}

export interface OpenBackup {
  about: About
  secrets: Secrets
  /** All others, up to the end, which was compared with the passphrase when they have ended. */
  parts: AsyncGenerator<Part>
  /** Then. */
  end(): End
}

export const openBackup = async ({ path, passphrase, known }: Options): Promise<OpenBackup> => {
  const parts = readParts(path)
  const first = await parts.next()
  if (first.done || first.value.header.name !== 'about') throw new StartError('The file is not a backup of Chancery.')
  const about = (await readWhole(first.value)) as About
  requireKnown(about, known)
  const { secrets, keys } = await openSecrets(passphrase, about.sealedSecrets)
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
      if (!end) throw new Error('The backup has not been read to its end.')
      return end
    },
  }
}

const requireKnown = ({ format, release, migrations }: About, known: ReadonlySet<string>): void => {
  const unknown = migrations.find((name) => !known.has(name))
  if (format === 1 && unknown === undefined) return
  throw new StartError(
    `The backup was made by a newer Chancery (${release}${unknown === undefined ? '' : `, with the migration ${unknown}`}): use that release, or a later one.`,
  )
}

const requireAuthentic = ({ digestBefore, partsBefore }: Part, end: End, keys: Keys): End => {
  if (end.parts === partsBefore && end.mac === keys.macOf(digestBefore)) return end
  throw new StartError('The backup is damaged: parts of it are missing or were changed. Use another one.')
}
