// The command that the server has not confirmed: kept over a reload, and what takes it back.

export class Pending {
  constructor(place) {
    this.place = place;
    this.frame = null;
    this.undo = null;
  }

  get type() {
    return this.frame?.type;
  }

  /** `undo` puts back what the command took off the page. */
  begin(frame, undo = null) {
    Object.assign(this, { frame, undo });
    if (frame.text) this.place.remember("ask", kept(frame));
  }

  confirm() {
    this.frame = this.undo = null;
    this.place.remember("ask", null);
  }

  /** It will not be carried out: what it was, and the page as it stood before. */
  takeBack() {
    const { frame, undo } = this;
    this.confirm();
    return { frame, undo };
  }

  /** An ask or an edit may go out twice: its client id makes one of them. */
  sendOver(socket) {
    if (this.frame?.client_id) socket.send(this.frame);
  }
}

/** What a tab can keep of a command: files are too large, so only that there were some. */
function kept({ attachments, ...frame }) {
  return attachments ? { ...frame, lost: attachments.length } : frame;
}
