/** The whole file anew: pages in a flat list, what is on them, and next to nothing else. */
import { about } from '../allow-list/document.ts'
import type { PdfFacts } from '../interface.ts'
import { visibleSize } from '../read/page-geometry.ts'
import { visibleIn } from '../read/visible-part.ts'
import type { FoundPage } from '../strict/page-tree.ts'
import type { StrictFile } from '../strict/strict-file.ts'
import type { Dict, Value } from '../strict/syntax.ts'
import { array, dict, entriesOf, name, nameOf, number, ref } from '../strict/values.ts'
import { writeFile } from '../strict/write.ts'
import { annotationsOf } from './annotations.ts'
import { requireNoCircles } from './circles.ts'
import { type Form, fieldFacts } from './form.ts'
import { createLayers } from './layers.ts'
import { rebuildPage } from './rebuild-page.ts'
import { Rebuilder } from './rebuilder.ts'
import type { Scope } from './rebuilding.ts'
import type { Removed } from './removed.ts'

export interface Rebuilt {
  bytes: Buffer
  pages: PdfFacts['pages']
  formFields: PdfFacts['formFields']
  /** Fields that have a value and nothing to show for it. */
  withoutLook: number
}

interface Parts {
  file: StrictFile
  catalog: Dict
  form: Form
  pages: readonly FoundPage[]
  removed: Removed
}

const maxFormFields = 2_000

export const rebuildFile = ({ file, catalog, form, pages, removed }: Parts): Rebuilt => {
  const layers = createLayers(file, catalog)
  const build = new Rebuilder(file, layers, removed)
  const [root, tree] = [build.reserve(), build.reserve()]
  const numbersOfPages = pages.map(() => build.reserve())
  const rebuilt: Omit<Rebuilt, 'bytes'> = { pages: [], formFields: [], withoutLook: 0 }
  for (const [index, page] of pages.entries()) {
    const around: Scope = { id: 0, resources: undefined, page: index + 1 }
    const seen = visibleIn(file, page)
    const { looks, widgets, withoutLook } = annotationsOf(
      { file, form, layers, removed, number: index + 1 },
      page.entries.get('Annots'),
    )
    rebuilt.pages.push(visibleSize(seen))
    rebuilt.withoutLook += withoutLook
    rebuilt.formFields.push(...widgets.flatMap((widget) => fieldFacts(file, form, { widget, page: index + 1, seen })))
    build.put(
      numbersOfPages[index] ?? 0,
      rebuildPage(build, { page, tree, looks, seen, fieldResources: form.resources }, around),
    )
  }
  build.finish()
  build.put(tree, dict({ Type: name('Pages'), Kids: array(numbersOfPages.map(ref)), Count: number(pages.length) }))
  build.put(root, dict({ Type: name('Catalog'), Pages: ref(tree), ...kept(file, catalog) }))
  const info = file.trailer.get('Info')
  const told = info && build.value(info, about(), { id: 0, resources: undefined, page: 0 })
  build.finish()
  requireNoCircles(build.objects, new Set([tree]))
  const bytes = writeFile({ objects: build.objects, root, ...(told?.kind === 'ref' && { info: told.number }) })
  return { ...rebuilt, bytes, formFields: rebuilt.formFields.slice(0, maxFormFields) }
}

const kept = ({ resolve }: StrictFile, catalog: Dict): Record<string, Value | undefined> => {
  const language = resolve(catalog.get('Lang'))
  const direction = nameOf(resolve(entriesOf(resolve(catalog.get('ViewerPreferences')))?.get('Direction')))
  return {
    Lang: language?.kind === 'plain' && language.text.startsWith('(') ? language : undefined,
    ViewerPreferences: direction === 'R2L' ? dict({ Direction: name('R2L') }) : undefined,
  }
}
