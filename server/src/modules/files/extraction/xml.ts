/**
 * Walks XML without building a tree. Entities other than the five of XML itself are not expanded and nothing outside the
 * document is ever read.
 */
import { Parser } from 'htmlparser2'
import { ExtractionFailure } from './failure.ts'

export interface XmlHandler {
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
}

const maxDepth = 500
const pieceLength = 65_536

export const walkXml = (xml: string, { open, close, text }: XmlHandler): void => {
  let depth = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1
        if (depth > maxDepth) throw new ExtractionFailure('broken')
        open?.(name, attributes)
      },
      onclosetag: (name) => {
        depth -= 1
        close?.(name)
      },
      ontext: (piece) => text?.(piece),
    },
    { xmlMode: true, decodeEntities: true },
  )
  for (let at = 0; at < xml.length; at += pieceLength) parser.write(xml.slice(at, at + pieceLength))
  parser.end()
}

/** The targets of a part's relationships, by id, as names of entries. */
export const readRelationships = (xml: string | undefined, folder: string): Map<string, string> => {
  const targets = new Map<string, string>()
  walkXml(xml ?? '', {
    open: (name, { Id = '', Target = '', TargetMode }) => {
      if (name === 'Relationship' && TargetMode !== 'External') targets.set(Id, resolveEntry(folder, Target))
    },
  })
  return targets
}

/** `word/` and `../media/a.png` → `media/a.png`. */
export const resolveEntry = (folder: string, target: string): string => {
  const parts: string[] = []
  for (const part of (target.startsWith('/') ? target : `${folder}/${target}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
