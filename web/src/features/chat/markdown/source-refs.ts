/** Turns `[2]` in the text of a reply into a citation mark for the second source, except in code and links. */

/** The part of a parsed tree that is used here. */
export interface TextNode {
  type: 'text'
  value: string
}
export interface ParentNode {
  type: string
  tagName?: string
  properties?: Record<string, unknown>
  children: TreeNode[]
}
export type TreeNode = TextNode | ParentNode | { type: 'comment' | 'doctype' | 'raw' }

export const refTag = 'source-ref'
const mark = /\[(\d{1,3})\]/g
const skippedTags = new Set(['code', 'pre', 'a', refTag])

/** Keeps the comma after a mark on the same line. */
const joiner = '\u2060'

const text = (value: string): TextNode => ({ type: 'text', value })
const ref = (number: number): ParentNode => ({
  type: 'element',
  tagName: refTag,
  properties: { number },
  children: [text(String(number))],
})

function split({ value }: TextNode, count: number): TreeNode[] {
  const parts: TreeNode[] = []
  let from = 0
  for (const found of value.matchAll(mark)) {
    const number = Number(found[1])
    if (number < 1 || number > count) continue
    if (found.index > from) parts.push(text(value.slice(from, found.index)))
    parts.push(ref(number), text(joiner))
    from = found.index + found[0].length
  }
  if (from < value.length) parts.push(text(value.slice(from)))
  return parts
}

const isText = (node: TreeNode): node is TextNode => node.type === 'text'

function walk(node: ParentNode, count: number) {
  if (node.tagName !== undefined && skippedTags.has(node.tagName)) return
  node.children = node.children.flatMap((child) => {
    if (isText(child)) return split(child, count)
    if ('children' in child) walk(child, count)
    return [child]
  })
}

/** A rehype plugin. It runs after the sanitizer, which doesn't know this element. */
export const sourceRefs =
  ({ count }: { count: number }) =>
  (tree: ParentNode) =>
    walk(tree, count)
