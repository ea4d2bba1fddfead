/** The bill of materials in CycloneDX 1.6: every package of the archive, as the lock file pins it. */
import { createHash } from 'node:crypto'
import type { Build } from './build.ts'
import type { Package } from './closure.ts'

export interface Contents {
  /** In `node_modules`, and the Node.js that runs the server. */
  server: readonly Package[]
  /** Bundled into the web app. */
  web: readonly Package[]
}

const purlOf = ({ name, version }: Package): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

/** As npm states it: `sha512-` and base64. */
const hashOf = (integrity: string) => ({
  alg: 'SHA-512',
  content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex'),
})

const licenceOf = (license: string) =>
  /^[\w.+-]+$/.test(license) && !/^see /i.test(license) ? { license: { id: license } } : { expression: license }

const componentOf = (packed: Package, foundIn: string[]) => {
  const [scope, name = packed.name] = packed.name.startsWith('@') ? packed.name.split('/') : []
  return {
    type: 'library',
    'bom-ref': packed.path,
    ...(scope ? { group: scope } : {}),
    name,
    version: packed.version,
    ...(packed.license ? { licenses: [licenceOf(packed.license)] } : {}),
    ...(packed.integrity ? { hashes: [hashOf(packed.integrity)] } : {}),
    purl: purlOf(packed),
    properties: foundIn.map((value) => ({ name: 'chancery:part', value })),
  }
}

/** The same input gives the same number, so that a release can be made again and compared. */
const serialOf = (content: unknown): string => {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export const billOfMaterials = ({ server, web }: Contents, { version, commit, builtAt }: Build) => {
  const all = new Map([...web, ...server].map((packed) => [packed.path, packed]))
  const partsOf = ({ path }: Package): string[] => [
    ...(server.some((packed) => packed.path === path) ? ['server'] : []),
    ...(web.some((packed) => packed.path === path) ? ['web'] : []),
  ]
  const packages = [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  const components = packages.map((packed) => componentOf(packed, partsOf(packed)))
  const dependencies = packages.map(({ path, needs }) => ({
    ref: path,
    dependsOn: needs.filter((needed) => all.has(needed)),
  }))
  const needed = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn))
  const roots = packages.map(({ path }) => path).filter((path) => !needed.has(path))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf([version, commit, components]),
    version: 1,
    metadata: {
      timestamp: builtAt,
      component: {
        type: 'application',
        'bom-ref': 'chancery',
        name: 'chancery',
        version,
        licenses: [{ license: { id: 'MIT' } }],
        properties: [{ name: 'chancery:commit', value: commit }],
      },
    },
    components,
    dependencies: [{ ref: 'chancery', dependsOn: roots }, ...dependencies],
  }
}
