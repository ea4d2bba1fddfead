/**
 * JSON that this server wrote itself: sealed cookies, its own rows, messages of its own nodes and threads. Whatever
 * anybody else could have written is read by `parseForeign`.
 */
export const parseOwn = (text: string): unknown => JSON.parse(text)
