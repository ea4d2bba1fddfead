/** The plugins that come with Chancery, to start from. They are files of the workspace `plugin`. */

import { readdir, readFile } from 'node:fs/promises'
import * as endpoints from '@chancery/contract/endpoints/plugins.ts'
import { route } from '#kernel/http/route.ts'
import { readManifest } from '../reading/load-plugin.ts'

const folder = new URL('../../../../../plugin/examples/', import.meta.url)

export const exampleRoute = route({
  ...endpoints.listExamples,
  access: 'platformOwner',
  summary: 'Plugins to start from, with their source',
  handle: async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort()
    const items = await Promise.all(
      names.map(async (name) => {
        const content = await readFile(new URL(name, folder), 'utf8')
        const { title = name, description = '' } = readManifest(content)
        return { id: name.replace(/\.ts$/, ''), name: title, description, content }
      }),
    )
    return { items, total: items.length }
  },
})
