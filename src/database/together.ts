import { isDatabaseUnavailable } from './database-errors.js';

const STATEMENTS_AT_ONCE = 2;

interface Waiting<Asked, Answer> {
  asked: Asked;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * What is asked for in the same turn of the event loop, or while statements are under way, goes together into the
 * next statement: the more there is to do, the less each costs.
 */
export class Together<Asked, Answer> {
  private waiting: Array<Waiting<Asked, Answer>> = [];
  private underWay = 0;
  private aboutToStart = false;

  constructor(
    private readonly answer: (asked: Asked[]) => Promise<Answer[]>,
    /** How much goes into one statement. */
    private readonly most: number,
    private readonly sizeOf: (asked: Asked) => number = () => 1,
  ) {}

  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, resolve, reject });
      if (this.aboutToStart || this.underWay === STATEMENTS_AT_ONCE) return;
      this.aboutToStart = true;
      setImmediate(() => void this.answerAllWaiting());
    });
  }

  private async answerAllWaiting(): Promise<void> {
    this.aboutToStart = false;
    this.underWay++;
    while (this.waiting.length > 0) await this.answerSome(this.takeSome());
    this.underWay--;
  }

  private takeSome(): Array<Waiting<Asked, Answer>> {
    let size = 0;
    const end = this.waiting.findIndex(({ asked }) => (size += this.sizeOf(asked)) > this.most);
    return this.waiting.splice(0, end === -1 ? this.waiting.length : Math.max(1, end));
  }

  private async answerSome(some: Array<Waiting<Asked, Answer>>): Promise<void> {
    try {
      const answers = await this.answer(some.map(({ asked }) => asked));
      for (const [place, { resolve }] of some.entries()) resolve(answers[place]!);
    } catch (error) {
      // Nobody waits twice for a database that is not there: the ones behind would fare the same.
      const behind = isDatabaseUnavailable(error) ? this.waiting.splice(0) : [];
      for (const { reject } of [...some, ...behind]) reject(error);
    }
  }
}
