package ui

import (
	"context"
	"slices"
	"time"
)

// job runs outside the terminal loop and returns one message. Timers and feeds wait for the outside world and so are not work.
type job struct {
	name string
	kind jobKind
	run  func(ctx context.Context) Msg
}

// crashMsg reports a panic outside the terminal loop.
type crashMsg struct{ crash *CrashError }

// guarded runs the job; a panic becomes its message.
func (j job) guarded(ctx context.Context) (msg Msg) {
	defer func() {
		if p := recover(); p != nil {
			msg = crashMsg{asCrash(p, "running "+j.name)}
		}
	}()
	return j.run(ctx)
}

type jobKind uint8

const (
	workJob jobKind = iota
	timerJob
	feedJob
)

// workDoneMsg has the result of background work.
type workDoneMsg struct {
	id  int
	msg Msg
}

// workRegistry lists the background work in flight. Work is added before it starts and removed when its result was handled
// completely, so that an empty registry means that nothing will change without input. It belongs to the terminal loop.
type workRegistry struct {
	last  int
	works map[int]work
}

// work is a task that runs outside the terminal loop.
type work struct {
	name  string
	began time.Time
}

func (r *workRegistry) addWork(name string, now time.Time) int {
	if r.works == nil {
		r.works = map[int]work{}
	}
	r.last++
	r.works[r.last] = work{name, now}
	return r.last
}

// Busy returns the names of the background work in flight, in alphabetical order.
func (s *Shell) Busy() []string {
	names := make([]string, 0, len(s.registry.works))
	for _, w := range s.registry.works {
		names = append(names, w.name)
	}
	slices.Sort(names)
	return names
}

func (s *Shell) startWork(msg backgroundMsg) {
	id := s.registry.addWork(msg.name, s.options.Now())
	s.tickWork()
	s.trail.add(s.options.Now(), "work: "+msg.name)
	s.jobs = append(s.jobs, job{name: msg.name, run: func(ctx context.Context) Msg {
		return workDoneMsg{id, msg.work(ctx)}
	}})
}

// endWork handles the result, and then removes the work from the registry.
func (s *Shell) endWork(msg workDoneMsg) {
	if msg.msg != nil {
		s.handle(msg.msg)
	}
	delete(s.registry.works, msg.id)
}

func (s *Shell) startTimer(msg afterMsg) {
	s.jobs = append(s.jobs, job{name: "timer", kind: timerJob, run: func(ctx context.Context) Msg {
		timer := time.NewTimer(msg.wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			return msg.msg
		case <-ctx.Done():
			return nil
		}
	}})
}

// takeJobs returns the jobs that have not been started yet.
func (s *Shell) takeJobs() []job {
	jobs := s.jobs
	s.jobs = nil
	return jobs
}

// WaitIdle runs background work and the work that it starts, until none is left: for tests and for --plain. It does not wait
// for timers and feeds.
func (s *Shell) WaitIdle(ctx context.Context) {
	for jobs := s.takeJobs(); len(jobs) > 0; jobs = s.takeJobs() {
		for _, j := range jobs {
			if j.kind == workJob {
				s.Send(j.run(ctx))
			}
		}
	}
}
