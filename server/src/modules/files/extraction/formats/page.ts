/** A web page without its navigation: what a reader mode would show. The whole page where that finds nothing. */
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Emit } from '../blocks.ts'
import { emitHtml, type HtmlFacts } from './html.ts'

/** Reader mode builds a tree; larger pages are read without it. */
const maxTreeLength = 3_000_000
const minArticleLength = 200

export const emitPage = async (html: string, emit: Emit): Promise<HtmlFacts> => {
  const article = html.length > maxTreeLength ? undefined : findArticle(html)
  if (!article) return emitHtml(html, emit)
  await emitHtml(article.content, emit)
  return { title: article.title }
}

const findArticle = (html: string): { title: string; content: string } | undefined => {
  try {
    const { document } = parseHTML(html)
    const article = new Readability(document as unknown as Document, { maxElemsToParse: 50_000 }).parse()
    const content = article?.content ?? ''
    return (article?.textContent ?? '').trim().length < minArticleLength
      ? undefined
      : { title: article?.title ?? '', content }
  } catch {
    return undefined
  }
}
