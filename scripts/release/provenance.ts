/** Where the archive comes from, as an in-toto statement with a SLSA predicate. It is not signed. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Build } from './build.ts'

export const sha256 = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

export const describeProvenance = async (project: string, build: Build, subjects: Record<string, string>) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: Object.entries(subjects).map(([name, digest]) => ({ name, digest: { sha256: digest } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'https://chancery.invalid/release/v1',
      externalParameters: { command: 'npm run release', platform: build.platform },
      internalParameters: { node: process.version },
      resolvedDependencies: [
        { name: 'source', digest: { gitCommit: build.commit } },
        { name: 'package-lock.json', digest: { sha256: await sha256(join(project, 'package-lock.json')) } },
      ],
    },
    runDetails: {
      builder: { id: 'https://chancery.invalid/release/local' },
      metadata: { startedOn: build.builtAt },
    },
  },
})
