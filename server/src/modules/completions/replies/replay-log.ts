/**
 * The text and frames of a running reply, so that a reader can join after any frame and miss nothing. Text is kept once,
 * with the offset where each frame ended, so any number of frames can be replayed as one.
 */
import type { ReplyFrame } from '@chancery/contract/chats/events.ts'

export interface ReplyText {
  content: string
  reasoning: string
}

export interface ReplayLog {
  /** The number of the last frame; 0 before the first. */
  readonly seq: number
  readonly content: string
  readonly reasoning: string
  addText(text: ReplyText): ReplyFrame
  /** A frame without text: sources, an error, the end. */
  add(rest: Omit<ReplyFrame, 'seq'>): ReplyFrame
  /** Everything after this frame number, in as few frames as possible. */
  after(seq: number): ReplyFrame[]
}

export const createReplayLog = (): ReplayLog => {
  let content = ''
  let reasoning = ''
  /** The length of both texts after each frame, from frame 0 on. */
  const contentEnds = [0]
  const reasoningEnds = [0]
  const others = new Map<number, ReplyFrame>()

  const close = (): number => {
    contentEnds.push(content.length)
    reasoningEnds.push(reasoning.length)
    return contentEnds.length - 1
  }
  const textBetween = (from: number, to: number): ReplyText => ({
    content: content.slice(contentEnds[from], contentEnds[to]),
    reasoning: reasoning.slice(reasoningEnds[from], reasoningEnds[to]),
  })
  const textFrames = (from: number, to: number): ReplyFrame[] => {
    const text = textBetween(from, to)
    return text.content === '' && text.reasoning === '' ? [] : [textFrame(to, text)]
  }

  return {
    get seq() {
      return contentEnds.length - 1
    },
    get content() {
      return content
    },
    get reasoning() {
      return reasoning
    },
    addText: (text) => {
      content += text.content
      reasoning += text.reasoning
      return textFrame(close(), text)
    },
    add: (rest) => {
      const frame: ReplyFrame = { ...rest, seq: close() }
      others.set(frame.seq, frame)
      return frame
    },
    after: (seq) => {
      const last = contentEnds.length - 1
      let from = Math.min(Math.max(0, seq), last)
      const frames: ReplyFrame[] = []
      for (const [at, frame] of others) {
        if (at <= from) continue
        frames.push(...textFrames(from, at - 1), frame)
        from = at
      }
      return [...frames, ...textFrames(from, last)]
    },
  }
}

const textFrame = (seq: number, { content, reasoning }: ReplyText): ReplyFrame => ({
  seq,
  choices: [{ index: 0, delta: { ...(reasoning && { reasoning_content: reasoning }), ...(content && { content }) } }],
})
