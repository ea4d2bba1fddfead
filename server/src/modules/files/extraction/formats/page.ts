/** A web page without its navigation: what a reader mode would show. The whole page where that finds nothing. */
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Emit } from '../blocks.ts'
import { emitHtml, type HtmlFacts } from './html.ts'
import { linksIn } from './page-links.ts'

/** Reader mode builds a tree; larger pages are read without it. */
const maxTreeLength = 3_000_000
const minArticleLength = 200

export const emitPage = async (html: string, emit: Emit): Promise<HtmlFacts> => {
  const { article, links } = html.length > maxTreeLength ? { links: [] } : readTree(html)
  if (!article) return { ...(await emitHtml(html, emit)), links }
  await emitHtml(article.content, emit)
  return { title: article.title, links }
}

interface Tree {
  article?: { title: string; content: string } | undefined
  links: string[]
}

const readTree = (html: string): Tree => {
  try {
    const { document } = parseHTML(html)
    // Before reader mode, which takes the tree apart.
    const links = linksIn(document)
    return { article: findArticle(document as unknown as Document), links }
  } catch {
    return { links: [] }
  }
}

const findArticle = (document: Document): Tree['article'] => {
  try {
    const article = new Readability(document, { maxElemsToParse: 50_000 }).parse()
    const content = article?.content ?? ''
    return (article?.textContent ?? '').trim().length < minArticleLength
      ? undefined
      : { title: article?.title ?? '', content }
  } catch {
    return undefined
  }
}
